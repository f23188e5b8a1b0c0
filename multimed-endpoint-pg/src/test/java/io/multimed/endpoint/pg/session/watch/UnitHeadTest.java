package io.multimed.endpoint.pg.session.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnitHeadTest {
    private final UnitHead head = new UnitHead();

    private List<String> texts(byte[]... messages) {
        head.copy(Unpooled.wrappedBuffer(messages));
        return head.texts(name -> null).stream()
                .map(sql -> new String(sql, UTF_8))
                .toList();
    }

    @Test
    void theTextIsThatOfTheQuery() {
        assertEquals(List.of("SELECT 1"), texts(FrontendBytes.query("SELECT 1"), FrontendBytes.query("SELECT 2")));
    }

    @Test
    void theTextsAreThoseOfTheStatementsThatAreExecuted() {
        assertEquals(
                List.of("SELECT 1", "SELECT 2"),
                texts(
                        FrontendBytes.parse("a", "SELECT 1"),
                        FrontendBytes.bind("", "a"),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.parse("b", "SELECT 2"),
                        FrontendBytes.bind("", "b"),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync()));
    }

    @Test
    void allTextsTogetherAreNoLongerThanWhatIsCopied() {
        byte[] bind = FrontendBytes.bind("", "a");
        byte[] execute = FrontendBytes.execute("", 0);
        byte[][] messages = new byte[101][];
        messages[0] = FrontendBytes.parse("a", "SELECT '" + "x".repeat(1_000) + "'");
        for (int i = 1; i < messages.length; i += 2) {
            messages[i] = bind;
            messages[i + 1] = execute;
        }
        List<String> texts = texts(messages);
        assertEquals(4096, texts.stream().mapToInt(String::length).sum());
        assertTrue(texts.size() < 10, texts::toString);
    }

    @Test
    void bytesAreFoundWhereverTheyLie() {
        texts(FrontendBytes.query("SELECT 1"));
        assertTrue(head.contains("SELECT".getBytes(UTF_8)));
        assertTrue(head.contains("1".getBytes(UTF_8)));
        assertFalse(head.contains("SELECT 11".getBytes(UTF_8)));
    }
}
