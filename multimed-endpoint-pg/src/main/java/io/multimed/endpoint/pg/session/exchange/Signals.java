package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.ProcessNumberSql;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Recognizes engines' messages about signals that the statements of {@code ProcessNumberSql} send to clients. Without state. */
final class Signals {
    /** The engine's function that looks for the process. It does not depend on the language of messages (signalfuncs.c). */
    private static final String ROUTINE = "pg_signal_backend";

    private Signals() {}

    /**
     * Returns the process number in a warning that there is no such process; 0 if the notice at {@code index} is no such warning.
     */
    static int numberIn(ByteBuf in, int index) {
        int end = index + 1 + in.getInt(index + 1);
        boolean signal = false;
        String message = "";
        for (int at = index + 5; at < end && in.getByte(at) != 0; ) {
            int terminator = in.indexOf(at + 1, end, (byte) 0);
            if (terminator < 0) {
                return 0;
            }
            byte field = in.getByte(at);
            if (field == 'R' || field == 'M') {
                String value = in.toString(at + 1, terminator - at - 1, StandardCharsets.ISO_8859_1);
                signal |= field == 'R' && value.equals(ROUTINE);
                message = field == 'M' ? value : message;
            }
            at = terminator + 1;
        }
        return signal ? number(message) : 0;
    }

    private static int number(String message) {
        int start = message.indexOf('-');
        int end = start + 1;
        while (start >= 0 && end < message.length() && Character.isDigit(message.charAt(end))) {
            end++;
        }
        // Clients' numbers have ten digits at most.
        return start < 0 || end == start + 1 || end - start > 11
                ? 0
                : (int) Long.parseLong(message.substring(start, end));
    }

    /** Returns PostgreSQL's error for a denied signal; null if {@code error} does not stand for one. */
    static @Nullable ErrorFields denial(ErrorFields error, String serverVersion) {
        int at = error.message().indexOf(ProcessNumberSql.DENIED);
        if (at < 0) {
            return null;
        }
        String what = error.message().substring(at + ProcessNumberSql.DENIED.length());
        String verb = what.startsWith("terminate/") ? "terminate" : "cancel";
        boolean ofSuperuser = what.startsWith(verb + "/superuser/");
        boolean old = serverVersion.startsWith("15");
        String message = old
                ? verb.equals("terminate")
                        ? ofSuperuser
                                ? "must be a superuser to terminate superuser process"
                                : "must be a member of the role whose process is being terminated or member of"
                                        + " pg_signal_backend"
                        : ofSuperuser
                                ? "must be a superuser to cancel superuser query"
                                : "must be a member of the role whose query is being canceled or member of"
                                        + " pg_signal_backend"
                : "permission denied to " + verb + (verb.equals("terminate") ? " process" : " query");
        ErrorFields denial = ErrorFields.error(SqlState.INSUFFICIENT_PRIVILEGE, message);
        if (old) {
            return denial;
        }
        String object = verb.equals("terminate") ? "process" : "query";
        return denial.withDetail(
                ofSuperuser
                        ? "Only roles with the SUPERUSER attribute may " + verb
                                + (verb.equals("terminate") ? " processes" : " queries")
                                + " of roles with the SUPERUSER attribute."
                        : "Only roles with privileges of the role whose " + object + " is being "
                                + (verb.equals("terminate") ? "terminated" : "canceled")
                                + " or with privileges of the \"pg_signal_backend\" role may " + verb + " this "
                                + object
                                + ".");
    }
}
