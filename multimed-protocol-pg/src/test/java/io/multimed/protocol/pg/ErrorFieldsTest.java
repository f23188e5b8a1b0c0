package io.multimed.protocol.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how errors of engines are read and changed on their way to a client. */
class ErrorFieldsTest {
    private static final int INDEX = 3;

    private static final ErrorFields ALL = new ErrorFields(
            "ERROR", "42P01", "relation \"größe\" does not exist", "a detail", "a hint", "parserOpenTable");

    private static ByteBuf buffer() {
        return Unpooled.buffer().writeBytes(new byte[INDEX]);
    }

    private static ByteBuf message(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        return buffer().writeByte('E').writeInt(4 + bytes.length).writeBytes(bytes);
    }

    private static String body(ByteBuf message) {
        int length = message.getInt(1);
        assertEquals(message.writerIndex(), 1 + length, "the length is that of the message");
        return message.toString(5, length - 4, StandardCharsets.ISO_8859_1);
    }

    @Test
    void aWrittenErrorIsReadAgain() {
        ByteBuf in = buffer();
        BackendMessages.error(in, ALL);
        assertEquals(ALL.withRoutine(null), ErrorFields.decode(in, INDEX));
        assertTrue(ErrorFields.comesFrom("parserOpenTable", in, INDEX));
        assertFalse(ErrorFields.comesFrom("parserOpen", in, INDEX));
    }

    @Test
    void fieldsThatAreNotSetAreNotWritten() {
        ByteBuf in = Unpooled.buffer();
        BackendMessages.error(in, ErrorFields.fatal("57P01", "bye"));
        assertEquals("SFATAL\0VFATAL\0C57P01\0Mbye\0\0", body(in));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\0", "M", "Mcut", "VERROR\0Mcut", "R"})
    void anErrorThatIsCutShortIsReadAsFarAsItGoes(String body) {
        ErrorFields read = ErrorFields.decode(message(body), INDEX);
        assertEquals(new ErrorFields("ERROR", SqlState.INTERNAL_ERROR, "", null, null), read);
        assertFalse(ErrorFields.comesFrom("anything", message(body), INDEX));
    }

    @Test
    void theNameOfAStatementIsReplacedOnlyInQuotes() {
        ByteBuf out = Unpooled.buffer();
        ErrorFields.copyRenaming(
                message("SERROR\0C26000\0Mprepared statement \"m1\" does not exist; m1 \"m12\"\0\0"),
                INDEX,
                "m1",
                "of the client",
                out);
        assertEquals("SERROR\0C26000\0Mprepared statement \"of the client\" does not exist; m1 \"m12\"\0\0", body(out));
    }

    @Test
    void bytesOfAnyEncodingAreKept() {
        String body = "M\u0080\u00ff\"n\"\u00c3\0\0";
        ByteBuf out = Unpooled.buffer();
        ErrorFields.copyRenaming(message(body), INDEX, "n", "name", out);
        assertEquals("M\u0080\u00ff\"name\"\u00c3\0\0", body(out));
    }

    @Test
    void aPositionIsMovedAndNothingElse() {
        ByteBuf out = Unpooled.buffer();
        ErrorFields.copyMoving(message("SERROR\0MP15\0P15\0L15\0\0"), INDEX, -7, out);
        assertEquals("SERROR\0MP15\0P8\0L15\0\0", body(out));
    }
}
