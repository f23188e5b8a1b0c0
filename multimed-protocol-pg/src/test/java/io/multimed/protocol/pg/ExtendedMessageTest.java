package io.multimed.protocol.pg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that messages are taken apart as the engine takes them apart, wherever they lie in a buffer. */
class ExtendedMessageTest {
    private static final byte[] NO_TYPES = {0, 0};
    private static final byte[] ONE_TYPE = {0, 1, 0, 0, 0, 23};

    /** Returns a buffer in which messages do not begin at 0. */
    private static ByteBuf buffer() {
        return Unpooled.buffer().writeInt(-1);
    }

    private static ByteBuf message(char type, byte[] body) {
        return buffer().writeByte(type).writeInt(4 + body.length).writeBytes(body);
    }

    private static ByteBuf message(char type, String body) {
        return message(type, body.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s1", "größe"})
    void aParseHasANameAQueryAndTypes(String name) {
        ByteBuf in = buffer();
        FrontendMessages.parse(in, name, bytes("SELECT $1"), ONE_TYPE);
        in.writeByte('S');
        ExtendedMessage.Parse decoded = ExtendedMessage.Parse.decode(in, 4);
        assertNotNull(decoded);
        assertArrayEquals(bytes(name), decoded.name().getBytes(StandardCharsets.ISO_8859_1));
        assertArrayEquals(bytes("SELECT $1"), decoded.sql());
        assertArrayEquals(ONE_TYPE, decoded.parameterTypes());
    }

    @Test
    void theQueryOfAParseMayBeEmpty() {
        ByteBuf in = buffer();
        FrontendMessages.parse(in, "", new byte[0], NO_TYPES);
        ExtendedMessage.Parse decoded = ExtendedMessage.Parse.decode(in, 4);
        assertNotNull(decoded);
        assertEquals(0, decoded.sql().length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // nothing
                "name", // a name without its end
                "name\0", // no query
                "name\0SELECT", // a query without its end
                "name\0SELECT\0", // no count of types
                "name\0SELECT\0\0", // half a count
                "name\0SELECT\0\0\1", // a type that is announced only
                "name\0SELECT\0\0\1\0\0\0", // three bytes of it
                "name\0SELECT\0\0\0\0", // a byte too many
                "name\0SELECT\0\u00ff\u00ff\0\0\0\0" // 65535 types that are announced only
            })
    void aMalformedParseIsLeftToTheEngine(String body) {
        assertNull(ExtendedMessage.Parse.decode(message('P', body), 4));
    }

    @Test
    void aBindSaysWhereItsStatementIsNamed() {
        ByteBuf in = buffer();
        FrontendMessages.bind(in, "portal", "statement");
        ExtendedMessage.Bind decoded = ExtendedMessage.Bind.decode(in, 4);
        assertNotNull(decoded);
        assertEquals("statement", decoded.statement());
        assertEquals(
                "statement",
                in.toString(
                        4 + decoded.statementStart(),
                        decoded.statementEnd() - decoded.statementStart(),
                        StandardCharsets.ISO_8859_1));
        assertFalse(decoded.isUnnamed());
        assertFalse(decoded.hasParameters(in, 4));
    }

    @Test
    void aBindWithoutNamesIsUnnamed() {
        ByteBuf in = buffer();
        FrontendMessages.bind(in, "");
        ExtendedMessage.Bind decoded = ExtendedMessage.Bind.decode(in, 4);
        assertNotNull(decoded);
        assertTrue(decoded.isUnnamed());
        assertFalse(decoded.hasParameters(in, 4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\0s\0\0\1\0\1\0\0\0\0", // a format of parameters
                "\0s\0\0\0\0\1\0\0\0\1x\0\0", // a parameter
                "\0s\0\0\0\0", // cut before its formats of results
                "\0s\0" // cut before its parameters
            })
    void aBindThatMayHaveParametersIsNotTakenForOneWithout(String body) {
        ByteBuf in = message('B', body);
        ExtendedMessage.Bind decoded = ExtendedMessage.Bind.decode(in, 4);
        assertNotNull(decoded);
        assertTrue(decoded.hasParameters(in, 4));
    }

    @Test
    void aBindIsDecodedAsSoonAsItsNamesHaveArrived() {
        ByteBuf whole = buffer();
        FrontendMessages.bind(whole, "p", "statement");
        int names = 4 + 5 + "p\0statement\0".length();
        for (int arrived = 4 + 5; arrived < whole.writerIndex(); arrived++) {
            ExtendedMessage.Bind decoded = ExtendedMessage.Bind.decode(whole.copy(0, arrived), 4);
            assertEquals(arrived >= names, decoded != null, arrived + " bytes");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "p", "p\0", "p\0s"})
    void aBindWithoutBothNamesIsLeftToTheEngine(String body) {
        ByteBuf in = message('B', body).writeByte(0).writeByte(0);
        assertNull(ExtendedMessage.Bind.decode(in, 4), "the zeros belong to the next message");
    }

    @ParameterizedTest
    @ValueSource(strings = {"S", "P"})
    void describeAndCloseNameAStatementOrAPortal(String kind) {
        for (String name : new String[] {"", "name", "größe"}) {
            ByteBuf in = buffer();
            FrontendMessages.describe(in, (byte) kind.charAt(0), name);
            int next = in.writerIndex();
            FrontendMessages.close(in, (byte) kind.charAt(0), name);
            for (int index : new int[] {4, next}) {
                ExtendedMessage.Named decoded = ExtendedMessage.Named.decode(in, index);
                assertNotNull(decoded);
                assertEquals(kind.charAt(0), decoded.kind());
                assertArrayEquals(bytes(name), decoded.name().getBytes(StandardCharsets.ISO_8859_1));
                assertTrue(decoded.isWellFormed());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "S", "Sname", "Sna\0me\0", "Sname\0\0"})
    void aMalformedDescribeIsLeftToTheEngine(String body) {
        assertNull(ExtendedMessage.Named.decode(message('D', body), 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Tname\0", "Sgr\u00f6\u00dfe\0", "S\u00ff\0"})
    void anotherKindOrANameThatIsNotUtf8IsNotWellFormed(String body) {
        ExtendedMessage.Named decoded = ExtendedMessage.Named.decode(message('C', body), 4);
        assertNotNull(decoded);
        assertFalse(decoded.isWellFormed());
    }
}
