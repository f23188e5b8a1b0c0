package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTest {
    private static String shape(String sql) {
        return shape(new Shape(1, 2), sql);
    }

    private static String shape(Shape shape, String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        shape.read(bytes, 0, bytes.length);
        return Long.toHexString(shape.high()) + Long.toHexString(shape.low());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            value = {
                "SELECT a FROM t WHERE b = 1 ¦ select  A\tfrom T where B=22 -- x",
                "SELECT 'a' ¦ SELECT E'b\\'c'",
                "SELECT 'a' ¦ SELECT $x$b$x$",
                "SELECT a FROM t ¦ SELECT/**/a/* ; */FROM t;",
                "SELECT a WHERE b IN (1, 2, 3) ¦ SELECT a WHERE b IN (4)",
                "SELECT a WHERE b IN ('x') ¦ SELECT a WHERE b IN ('x', 'y')",
                "SELECT a WHERE b IN ($1) ¦ SELECT a WHERE b IN ($1, $2, $3)",
                "SELECT 1.5 ¦ SELECT 2e10",
                "SELECT a WHERE b IN (1, 2, c) ¦ SELECT a WHERE b IN (1, c)",
            })
    void isTheSameForTheSameStatement(String one, String other) {
        assertEquals(shape(one), shape(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            value = {
                "SELECT a ¦ SELECT b",
                "SELECT a ¦ SELECT \"a\"",
                "SELECT \"a\" ¦ SELECT \"A\"",
                "SELECT ab ¦ SELECT a b",
                "SELECT a, b ¦ SELECT a b",
                "SELECT 1 ¦ SELECT '1'",
                "SELECT 1 ¦ SELECT 1.0",
                "SELECT 1 ¦ SELECT $1",
                "SELECT b'1' ¦ SELECT '1'",
                "SELECT a - b ¦ SELECT a -b::int",
                "SELECT a < b ¦ SELECT a << b",
                "SELECT a <b ¦ SELECT a <= b",
                "SELECT f(1, 2) ¦ SELECT f(1, 'x')",
                "SELECT (1, 2 + f(x)) ¦ SELECT (1 + f(x))",
                "SELECT a FROM t FOR UPDATE ¦ SELECT a FROM t",
            })
    void differsForDifferentStatements(String one, String other) {
        assertNotEquals(shape(one), shape(other));
    }

    @Test
    void dependsOnTheKey() {
        assertNotEquals(shape(new Shape(1, 2), "SELECT 1"), shape(new Shape(1, 3), "SELECT 1"));
    }

    @Test
    void splitsAtSemicolonsOutsideParenthesesAndBodies() {
        byte[] bytes =
                "SELECT ';' ; CREATE RULE r AS ON INSERT TO t DO (a; b); SELECT 2".getBytes(StandardCharsets.UTF_8);
        Shape shape = new Shape(1, 2);
        shape.read(bytes, 0, bytes.length);
        assertEquals(11, shape.to());
        shape.read(bytes, shape.behind(), bytes.length);
        assertEquals(Verb.CREATE, shape.verb());
        shape.read(bytes, shape.behind(), bytes.length);
        assertEquals(Verb.SELECT, shape.verb());
        assertEquals(bytes.length, shape.behind());
        shape.read(bytes, shape.behind(), bytes.length);
        assertTrue(shape.empty());
    }

    @Test
    void hashesEveryPrefixDifferentlyHoweverItsBytesArrive() {
        byte[] bytes = new byte[64];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        KeyedHash hash = new KeyedHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        long[] seen = new long[bytes.length];
        for (int length = 0; length < bytes.length; length++) {
            hash.reset();
            hash.put(Lexer.QUOTED);
            for (int i = 0; i < length; i++) {
                hash.put(bytes[i]);
            }
            hash.put(0);
            hash.finish();
            long high = hash.high;
            long low = hash.low;
            hash.reset();
            hash.putName(Lexer.QUOTED, bytes, 0, length, false);
            hash.finish();
            assertEquals(high, hash.high);
            assertEquals(low, hash.low);
            seen[length] = high ^ Long.rotateLeft(low, 1);
            for (int other = 0; other < length; other++) {
                assertNotEquals(seen[other], seen[length]);
            }
        }
    }
}
