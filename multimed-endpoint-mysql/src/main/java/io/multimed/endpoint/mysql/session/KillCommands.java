package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The KILL that a session executes. Clients know each other by the numbers of the connections on which they logged in to the Master, so the
 * number is replaced by that of the other session's present connection. A killed statement may also run on a Satellite.
 */
final class KillCommands {
    private static final Pattern KILL =
            Pattern.compile("(?i)\\s*KILL\\s+(?:(?:HARD|SOFT)\\s+)?(?:(QUERY|CONNECTION)\\s+)?(\\d{1,18})[\\s;]*");

    private final MysqlSession session;
    /** The number in the present command, as the client knows it; 0 if it has none, or has the Master's own. */
    private long target;
    /** The number of the session of which the present command kills the statement alone; 0 for none. */
    private long interrupted;

    KillCommands(MysqlSession session) {
        this.session = session;
    }

    /** Begins with a command. */
    void next() {
        target = 0;
    }

    /** Examines a KILL that is a command of the protocol. */
    void command(ByteBuf packet, int length) {
        session.loop().services().beforeKill().run();
        target = length == 1 + Integer.BYTES ? packet.getUnsignedIntLE(Packets.HEADER + 1) : 0;
    }

    /** Examines a KILL of SQL. */
    void statement(String text, boolean isExecuted) {
        Matcher kill = KILL.matcher(text);
        target = kill.matches() && isExecuted ? Long.parseLong(kill.group(2)) : 0;
        interrupted = target > 0 && "QUERY".equalsIgnoreCase(kill.group(1)) ? target : 0;
        session.loop().services().beforeKill().run();
    }

    /** Prepares for a KILL that is a prepared statement, the number of which is not known. */
    void prepared() {
        session.loop().services().beforeKill().run();
    }

    /** Whether the number has to be replaced before the Master executes the command. */
    boolean needsNumber() {
        return target > 0;
    }

    /** @param done receives the number of the other session's connection, later if it has to be made; 0 if the number stays */
    void askNumber(LongConsumer done) {
        long known = target;
        target = 0;
        MysqlSession other = session.loop().numbers().find(known);
        if (other == null || other.hold().number() == known) {
            done.accept(0);
        } else {
            other.askNumber(session.loop().loop(), done);
        }
    }

    /** Returns the command with another number: the same packet, or one that takes its place. */
    static ByteBuf renumbered(ByteBuf packet, boolean isText, long number) {
        if (number <= 0) {
            return packet;
        }
        if (!isText) {
            packet.setIntLE(Packets.HEADER + 1, (int) number);
            return packet;
        }
        int length = packet.readableBytes() - Packets.HEADER;
        String text = packet.toString(Packets.HEADER + 1, length - 1, StandardCharsets.ISO_8859_1);
        ByteBuf renumbered = packet.alloc().buffer();
        Packets.command(renumbered, MysqlCommand.QUERY, text.replaceFirst("\\d+", Long.toString(number)));
        packet.release();
        return renumbered;
    }

    /** Ends the other session's read on a Satellite, if the Master has executed the command. */
    void idle(MasterExchange onMaster) {
        long number = interrupted;
        interrupted = 0;
        if (number > 0 && onMaster.hasSucceeded()) {
            MysqlSession other = session.loop().numbers().find(number);
            if (other != null) {
                other.killRead();
            }
        }
    }
}
