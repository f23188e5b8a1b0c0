package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests that names in other encodings than UTF-8 are not looked up, because the catalog has its names in UTF-8. */
class ClientEncodingsTest {
    private static final Charset LATIN1 = StandardCharsets.ISO_8859_1;

    @Test
    void namesBeyondAsciiAreUnderstoodInUtf8Alone() {
        for (String sql : new String[] {"SELECT * FROM größe", "SELECT \"größe\" FROM t", "TABLE t WHERE ä = 'a'"}) {
            assertTrue(understands("UTF8", sql, StandardCharsets.UTF_8), sql);
            assertFalse(understands("LATIN1", sql, LATIN1), sql);
            assertFalse(understands("SQL_ASCII", sql, StandardCharsets.UTF_8), sql);
        }
    }

    @Test
    void literalsAndCommentsDoNotMatter() {
        for (String sql : new String[] {
            "SELECT 1", "SELECT a FROM t WHERE b = 'größe'", "SELECT $ä$ö$ä$ -- ü", "SELECT E'ä', /* ö */ 1"
        }) {
            assertTrue(understands("LATIN1", sql, LATIN1), sql);
        }
    }

    /** In some encodings the second byte of a character may equal an ASCII character. */
    @Test
    void encodingsWhoseTokensCannotBeToldApartAreNotUnderstood() {
        assertFalse(understands("SJIS", "SELECT 1", StandardCharsets.US_ASCII));
    }

    @Test
    void bytesBehindTheStatementDoNotMatter() {
        byte[] bytes = "SELECT 1größe".getBytes(LATIN1);
        assertTrue(StatementClassifier.understands("LATIN1", bytes, 8));
    }

    private static boolean understands(String encoding, String sql, Charset charset) {
        byte[] bytes = sql.getBytes(charset);
        return StatementClassifier.understands(encoding, bytes, bytes.length);
    }
}
