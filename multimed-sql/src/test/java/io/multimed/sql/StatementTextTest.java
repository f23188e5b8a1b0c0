package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of statements that show no data. */
class StatementTextTest {
    private static String shown(String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        return StatementText.withoutLiterals(bytes, 0, bytes.length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT 1|SELECT ?",
                "SELECT  name\tFROM \"Some Table\" WHERE id = 4711|SELECT name FROM \"Some Table\" WHERE id = ?",
                "SELECT 'secret', E'it\\'s', $$secret$$, $a$secret$a$, U&'secret', N'secret'|SELECT ?, …, ?",
                "SELECT x'0f', b'1', 1.5e3, .5|SELECT ?, …, ?, ?",
                "SELECT * FROM t WHERE id IN (1, 2, 3) AND n = 'a'|SELECT * FROM t WHERE id IN (?, …) AND n = ?",
                "SELECT $1, a.b FROM a WHERE c = $2|SELECT $1, a.b FROM a WHERE c = $2",
                "SELECT 1 /* secret */ + 2 -- secret|SELECT ? + ?",
                "ALTER ROLE alice PASSWORD 'secret'|ALTER ROLE alice PASSWORD ?",
                "SELECT -5, a[1], größe|SELECT -?, a[?], größe",
                "SELECT 'a' 'b'|SELECT ? ?",
            })
    void showsNoLiteral(String sql, String text) {
        assertEquals(text, shown(sql));
    }

    @Test
    void showsNothingBehindTheBeginningOfAnUnfinishedLiteral() {
        assertEquals("SELECT …", shown("SELECT 'secret"));
        assertEquals("SELECT …", shown("SELECT $x$ secret"));
        assertEquals("SELECT a …", shown("SELECT a /* secret"));
    }

    /** Its meaning depends on a setting, under one of which the literal ends later. */
    @Test
    void showsNothingBehindABackslashBeforeAQuote() {
        assertEquals("SELECT …", shown("SELECT 'it\\'secret'"));
    }
}
