package io.multimed.protocol.pg;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests which headers of messages a server accepts (SocketBackend in postgres.c). */
class FrontendTest {
    private static final String SHORT_MESSAGES = "CDEHSXcf";
    private static final String LONG_MESSAGES = "QPBFd";
    private static final int SMALL = 10_000;
    private static final int LARGE = 0x3ffffffe;

    private static void assertFramingLost(char type, int length) {
        ProtocolException refused = assertThrows(
                ProtocolException.class, () -> Frontend.checkHeader((byte) type, length), () -> type + " " + length);
        assertTrue(refused.silent(), type + " " + length);
    }

    private static void assertLongest(String types, int longest) {
        for (int i = 0; i < types.length(); i++) {
            char type = types.charAt(i);
            for (int length : new int[] {4, 5, longest}) {
                assertDoesNotThrow(() -> Frontend.checkHeader((byte) type, length));
            }
            for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 3, longest + 1, Integer.MAX_VALUE}) {
                assertFramingLost(type, length);
            }
        }
    }

    @Test
    void messagesWithoutTextOrDataAreShort() {
        assertLongest(SHORT_MESSAGES, SMALL);
    }

    @Test
    void messagesWithTextOrDataMayBeAlmostAGibibyte() {
        assertLongest(LONG_MESSAGES, LARGE);
    }

    @Test
    void anyOtherTypeIsAnsweredWithItsNumberWhateverTheLength() {
        int others = 0;
        for (int type = 0; type < 256; type++) {
            if ((SHORT_MESSAGES + LONG_MESSAGES).indexOf(type) >= 0) {
                continue;
            }
            others++;
            byte sent = (byte) type;
            ProtocolException refused = assertThrows(ProtocolException.class, () -> Frontend.checkHeader(sent, -1));
            assertFalse(refused.silent());
            assertEquals(SqlState.PROTOCOL_VIOLATION, refused.sqlState());
            assertEquals("invalid frontend message type " + type, refused.getMessage());
        }
        assertEquals(256 - SHORT_MESSAGES.length() - LONG_MESSAGES.length(), others);
    }
}
