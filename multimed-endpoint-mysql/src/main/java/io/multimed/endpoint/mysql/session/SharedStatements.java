package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The statements that a connection to a Satellite has prepared on which several sessions' reads are executed, by their texts: the settings and
 * the database are the connection's. Each execution brings the types of its parameters, so that nothing of others' is left.
 */
final class SharedStatements {
    private static final int MOST = 200;

    private final Map<ByteBuffer, Integer> numbers = new LinkedHashMap<>(16, 0.75f, true);

    /** Appends the packets of an execution. @return whether a reply to COM_STMT_PREPARE precedes that of the execution */
    boolean write(SatelliteRead.Execution read, ByteBuf out) {
        Integer known = numbers.get(key(read));
        if (known == null) {
            Packets.write(out, 0, Unpooled.wrappedBuffer(read.statement().text()));
        }
        // What others have sent before ends with their executions, so the statement prepared last is this one.
        read.commands(known == null ? ExecuteMessage.LAST_PREPARED : known)
                .forEach(payload -> Packets.write(out, 0, Unpooled.wrappedBuffer(payload)));
        return known == null;
    }

    private static ByteBuffer key(SatelliteRead.Execution read) {
        return ByteBuffer.wrap(read.statement().text());
    }

    /**
     * Records a statement that the engine has prepared.
     *
     * @return the numbers of statements that the engine is to close
     */
    List<Integer> prepared(SatelliteRead.Execution read, int number) {
        List<Integer> closed = new ArrayList<>();
        Integer other = numbers.put(key(read), number);
        if (other != null) {
            closed.add(other);
        }
        for (Iterator<Integer> eldest = numbers.values().iterator(); numbers.size() > MOST && eldest.hasNext(); ) {
            closed.add(eldest.next());
            eldest.remove();
        }
        return closed;
    }

    /** Appends the command that closes a statement. */
    static void close(int number, ByteBuf out) {
        int begun = Packets.begin(out, 0);
        out.writeByte(MysqlCommand.STMT_CLOSE).writeIntLE(number);
        Packets.end(out, begun);
    }
}
