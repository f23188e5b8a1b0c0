package io.multimed.endpoint.mysql.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.protocol.mysql.ErrMessage;
import org.junit.jupiter.api.Test;

class PreparedReplyTest {
    private static final PreparedReply REPLY = PreparedReply.of(3, 7);

    private static String shown(int code, String message) {
        return REPLY.error(new ErrMessage(code, "HY000", message)).message();
    }

    @Test
    void onlyErrorsThatNameTheStatementAreRenumbered() {
        assertEquals(
                "Unknown prepared statement handler (7) given to x",
                shown(1243, "Unknown prepared statement handler (3) given to x"));
        assertEquals("The statement (7) has no open cursor", shown(1421, "The statement (3) has no open cursor"));
        assertEquals("Duplicate entry '(3)' for key 'a'", shown(1062, "Duplicate entry '(3)' for key 'a'"));
    }
}
