package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.engine.postgresql.relay.MessageScanner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapturedContentTest {
    private static final int PAGE = 8192;
    private static final int SEGMENT = 1 << 24;
    private static final int PAGE_HEADER = 40;
    private static final int MESSAGE_MANAGER = 21;

    @Test
    void aMessageThatHasComeInPartIsNotReachedAndIsNeeded() throws Exception {
        CapturedContent content = new CapturedContent(
                sink -> new MessageScanner(SEGMENT, PAGE, SEGMENT, 1, new byte[0], new byte[0], sink),
                token -> null,
                0,
                SEGMENT,
                PAGE);
        ByteBuffer page = ByteBuffer.allocate(PAGE).order(ByteOrder.LITTLE_ENDIAN);
        page.putShort((short) 0xD118).putShort((short) 2).putInt(1).putLong(SEGMENT);
        page.position(PAGE_HEADER).putInt(2 * PAGE).putInt(7).putLong(0).putShort((short) (MESSAGE_MANAGER << 8));
        // The main data, of which most is still to come.
        page.position(PAGE_HEADER + 24).put((byte) 254).putInt(2 * PAGE - 29).rewind();
        List<Long> reached = new ArrayList<>();
        WriteSetStream.Receiver receiver = new WriteSetStream.Receiver() {
            @Override
            public void transaction(Transaction transaction) {
                throw new AssertionError("nothing was committed");
            }

            @Override
            public void position(long scn) {
                reached.add(scn);
            }
        };
        content.data(SEGMENT, page, receiver);
        content.reached(SEGMENT + PAGE, receiver);
        assertEquals(List.of((long) SEGMENT + PAGE_HEADER), reached);
        assertEquals(SEGMENT + PAGE_HEADER, content.needed(SEGMENT + PAGE));
    }
}
