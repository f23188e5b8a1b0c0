package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.ConnectedClient;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.OtherSessions;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.ProcessNumberSql;
import io.multimed.sql.ProcessNumbers;
import io.multimed.sql.Processes;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes statements about server processes return the process numbers that clients know. Replaces parts of their SQL, sends the
 * engine the data that the replacements need, and applies the statements' signals to other clients.
 *
 * <p>It has more fields than other classes, since it stands between the engine, which numbers processes, the client, and all
 * other sessions.
 */
public final class ProcessNumbering {
    /** Time for which collected sessions stay valid. The unit may have waited for something else meanwhile, or been cancelled. */
    private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LoopContext loop;
    private final SessionControl owner;
    private final ClientLink client;
    private final String user;
    private final int processId;
    private final Exchange exchange;
    private final Waiting waiting;
    private final Instructions instructions;
    private final ClientStatements prepared;
    /** The sessions as seen by the unit at the head of the input, or by the running unit. */
    private @Nullable OtherSessions others;
    /** The time at which they were collected. */
    private long seenNanos;

    private Processes wanted = Processes.NONE;
    /** {@link ClientStatements#changes} when the engine was sent the client's statements last. */
    private long sentStatements;

    public ProcessNumbering(
            LoopContext loop,
            SessionControl owner,
            ClientLink client,
            String user,
            int processId,
            Exchange exchange,
            Waiting waiting,
            Instructions instructions,
            ClientStatements prepared) {
        this.loop = loop;
        this.owner = owner;
        this.client = client;
        this.user = user;
        this.processId = processId;
        this.exchange = exchange;
        this.waiting = waiting;
        this.instructions = instructions;
        this.prepared = prepared;
    }

    // --- SQL

    /**
     * Replaces the Query at the head of {@code in}.
     *
     * @return whether it has become another one, which is to be taken from the input
     */
    boolean replaceInQuery(ByteBuf in, int total) {
        byte[] sql = new byte[total - 6];
        in.getBytes(in.readerIndex() + 5, sql);
        byte[] replaced = ProcessNumbers.replaceIn(sql);
        if (replaced == null || isTooLong(replaced.length)) {
            return false;
        }
        ByteBuf message = client.buffer(replaced.length + 6);
        message.writeByte(Frontend.QUERY)
                .writeInt(replaced.length + 5)
                .writeBytes(replaced)
                .writeByte(0);
        in.skipBytes(total);
        client.unread(message);
        return true;
    }

    /**
     * Replaces Parse messages among the messages at the head of {@code in}.
     *
     * @return whether any has become another one, which is to be taken from the input
     */
    boolean replaceInSegment(ByteBuf in, int length) {
        ByteBuf messages = client.buffer(length + 4096);
        boolean any = false;
        int end = in.readerIndex() + length;
        for (int at = in.readerIndex(); at < end; ) {
            int total = in.getInt(at + 1) + 1;
            var parse = in.getByte(at) == Frontend.PARSE ? ExtendedMessage.Parse.decode(in, at) : null;
            byte[] replaced = parse == null ? null : ProcessNumbers.replaceIn(parse.sql());
            if (parse == null || replaced == null || isTooLong(replaced.length)) {
                messages.writeBytes(in, at, total);
            } else {
                // Names have one character per byte of the message.
                byte[] name = parse.name().getBytes(StandardCharsets.ISO_8859_1);
                FrontendMessages.parse(messages, name, replaced, parse.parameterTypes());
                any = true;
            }
            at += total;
        }
        if (!any) {
            messages.release();
            return false;
        }
        in.skipBytes(length);
        client.unread(messages);
        return true;
    }

    private boolean isTooLong(int bytes) {
        return bytes > loop.options().limits().unitBytes() / 2;
    }

    // --- data for the engine

    /** Whether no statement about processes is under way. */
    public boolean isIdle() {
        return wanted == Processes.NONE && others == null;
    }

    /** Sets the processes about which the unit at the head of the input asks. */
    void wanted(Processes now) {
        wanted = now;
    }

    boolean isWanted() {
        return wanted != Processes.NONE;
    }

    /**
     * Determines the processes for a message at the head of the input that was not examined as a part of its segment. It names this
     * SQL.
     */
    void amid(byte @Nullable [] sql) {
        wanted = sql == null || exchange.isIgnored() || !exchange.onMaster()
                ? Processes.NONE
                : ClassifiedSql.notUnderstood(sql, sql.length).processes();
    }

    /**
     * Whether all data for the engine is available.
     *
     * @return false when the session has to wait for it
     */
    boolean isReady() {
        boolean seen = others != null && loop.nanoTime() - seenNanos < LASTING_NANOS;
        if (!wanted.asksAll() || seen || exchange.status() == 'E') {
            return true;
        }
        waiting.begin(Wait.SESSIONS);
        loop.lookAtSessions(user, found -> {
            if (waiting.is(Wait.SESSIONS)) {
                others = found;
                seenNanos = loop.nanoTime();
                owner.resume(Wait.SESSIONS);
            }
        });
        return false;
    }

    /** Whether the data can only be sent once the client's messages are answered. */
    boolean mustWait() {
        return isWanted() && instructions.mustWait();
    }

    /** Sends the data to the engine, before the unit or a message within it. */
    void tell() {
        if (wanted == Processes.NONE || exchange.status() == 'E' || !exchange.onMaster()) {
            return;
        }
        List<String> sql = new ArrayList<>();
        sql.add("SET " + ProcessNumberSql.OWN + " = '" + processId + "'");
        OtherSessions seen = others;
        if (wanted.asksAll() && seen != null) {
            set(
                    sql,
                    ProcessNumberSql.ALL,
                    seen.json(
                            processId,
                            exchange.bound().processId(),
                            loop.nodes().master()));
        }
        if (wanted.asksPrepared()) {
            sentStatements = prepared.changes();
            set(
                    sql,
                    ProcessNumberSql.PREPARED,
                    PreparedJson.of(prepared.named(), exchange.bound().prepared(), exchange.clientSpeaksUtf8()));
        }
        if (exchange.isUnsynced()) {
            instructions.sendAmid(sql);
        } else {
            instructions.send(String.join(";", sql), Note.INTERNAL);
        }
    }

    /**
     * Sends the data again before an Execute if messages of its segment have prepared or closed statements. If one of these fails,
     * the engine ignores the Execute too.
     */
    void tellChanged() {
        if (wanted.asksPrepared()
                && sentStatements != prepared.changes()
                && exchange.isUnsynced()
                && !exchange.isIgnored()) {
            tell();
        }
    }

    private static void set(List<String> sql, String name, String json) {
        // This notation has the same meaning whatever standard_conforming_strings is.
        sql.add("SET " + name + " = E'" + json.replace("\\", "\\\\").replace("'", "\\'") + '\'');
    }

    // --- signals to clients

    /**
     * Signals a client, after the engine has warned that there is no process of this number.
     *
     * @return whether the number stood for a signal to a client
     */
    public boolean signalled(int number) {
        OtherSessions seen = others;
        if (seen == null || number >= 0) {
            return false;
        }
        boolean terminate = number <= -ProcessNumberSql.BASE;
        ConnectedClient target = loop.allClients().find(terminate ? -number : ProcessNumberSql.BASE - number);
        if (target == null || !seen.maySignal(target)) {
            return false;
        }
        if (terminate) {
            target.terminate();
        } else {
            target.cancel();
        }
        return true;
    }

    /** Drops the collected sessions at the end of the unit. */
    public void unitEnded() {
        others = null;
    }
}
