package io.multimed.endpoint.pg.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.FrontendBytes;
import io.netty.buffer.Unpooled;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessageBoundariesTest {
    /** Two messages without a body around one with a body. */
    private static final byte[] MESSAGES = new FrontendBytes.Bytes()
            .bytes(FrontendBytes.sync())
            .bytes(FrontendBytes.copyData(new byte[300]))
            .bytes(FrontendBytes.sync())
            .toArray();

    private static final Set<Integer> ENDS = Set.of(0, 5, 5 + 305, 5 + 305 + 5);

    @Test
    void messagesEndWhereTheirLengthsSayHoweverTheyArrive() {
        for (int size = 1; size <= MESSAGES.length; size++) {
            MessageBoundaries boundaries = new MessageBoundaries();
            Set<Integer> found = new HashSet<>();
            Set<Integer> looked = new HashSet<>();
            for (int at = 0; at < MESSAGES.length; at += size) {
                look(boundaries, at, found, looked);
                boundaries.pass(Unpooled.wrappedBuffer(MESSAGES, at, Math.min(size, MESSAGES.length - at)));
            }
            look(boundaries, MESSAGES.length, found, looked);
            looked.retainAll(ENDS);
            assertEquals(looked, found, "in parts of " + size);
        }
    }

    private static void look(MessageBoundaries boundaries, int at, Set<Integer> found, Set<Integer> looked) {
        looked.add(at);
        if (boundaries.isBetweenMessages()) {
            found.add(at);
        }
    }
}
