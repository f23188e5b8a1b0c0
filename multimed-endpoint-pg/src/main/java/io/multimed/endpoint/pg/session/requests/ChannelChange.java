package io.multimed.endpoint.pg.session.requests;

import io.multimed.sql.Statement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The changes that a unit of LISTEN and UNLISTEN makes.
 *
 * @param wanted the channels after the unit
 * @param missing the wanted channels to which the session does not listen yet
 * @param added the channels to which the session listens since the unit began
 */
record ChannelChange(Set<String> wanted, ArrayDeque<String> missing, Set<String> added) {
    /** NAMEDATALEN - 1. The engine truncates longer names and reports that. */
    private static final int MAX_CHANNEL_BYTES = 63;

    /** Returns the changes that the statements make, all of which are {@link #isOnly LISTEN or UNLISTEN}. */
    static ChannelChange of(Set<String> channels, List<Statement> statements) {
        Set<String> wanted = new LinkedHashSet<>(channels);
        for (Statement statement : statements) {
            if (statement instanceof Statement.Listen listen) {
                wanted.add(listen.channel());
            } else if (statement instanceof Statement.Unlisten unlisten && unlisten.channel() != null) {
                wanted.remove(unlisten.channel());
            } else {
                wanted.clear();
            }
        }
        ArrayDeque<String> missing = new ArrayDeque<>(wanted);
        missing.removeAll(channels);
        return new ChannelChange(wanted, missing, new LinkedHashSet<>());
    }

    /** Whether there are statements, and all are LISTEN or UNLISTEN with names that the engine would not truncate. */
    static boolean isOnly(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            boolean changes = statements.get(i) instanceof Statement.Unlisten
                    || (statements.get(i) instanceof Statement.Listen listen
                            && listen.channel().getBytes(StandardCharsets.UTF_8).length <= MAX_CHANNEL_BYTES);
            if (!changes) {
                return false;
            }
        }
        return !statements.isEmpty();
    }
}
