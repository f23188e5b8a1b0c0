package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lexer. */
@Tag("slow")
class TokensOnPostgresqlTest extends OnEachPostgresql {
    TokensOnPostgresqlTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

    /** The tokens cut by Multimed's lexer must mean the same to the server when they are put together again. */
    @Test
    void cutsTokensAsTheServerDoes() throws Exception {
        master.execute("CREATE OR REPLACE FUNCTION answer(sql text) RETURNS text LANGUAGE plpgsql AS $$"
                + " DECLARE r record; BEGIN EXECUTE sql INTO r; RETURN r::text;"
                + " EXCEPTION WHEN OTHERS THEN RETURN 'error ' || SQLSTATE; END $$");
        Random random = new Random(1);
        String[] parts = {
            "'",
            "''",
            "'a'",
            "\\",
            "\\\\",
            "\\'",
            "\"",
            "\"b\"",
            "$",
            "$$",
            "$t$",
            "--",
            "/*",
            "*/",
            "\n",
            "\r",
            " ",
            "\t",
            "E'",
            "e'\\''",
            "U&'",
            "B'1'",
            "x'1F'",
            "N'n'",
            "1",
            "2.",
            ".5",
            "e1",
            "0x1f",
            "0b",
            "_1",
            "..",
            "1_0",
            "a",
            "as b",
            ",",
            "+",
            "-",
            "*",
            "/",
            "%",
            "@",
            "|",
            "||",
            "::text",
            "::int",
            ":",
            "=",
            "<>",
            "!=",
            "<=",
            "(",
            ")",
            "[1]",
            "é",
            "null",
            "1::int",
            "'x'::text"
        };
        int accepted = 0;
        try (Connection connection = master.connect();
                PreparedStatement ask = connection.prepareStatement("SELECT answer(?), answer(?)")) {
            for (int i = 0; i < 30_000; i++) {
                StringBuilder soup = new StringBuilder("SELECT ").append(i % 3 == 0 ? "" : "1, ");
                for (int j = random.nextInt(9); j >= 0; j--) {
                    soup.append(parts[random.nextInt(parts.length)]);
                }
                byte[] bytes = soup.toString().getBytes(StandardCharsets.UTF_8);
                Tokens tokens = Tokens.complete(bytes, 0, bytes.length);
                if (tokens.erroneous()) {
                    continue;
                }
                StringBuilder again = new StringBuilder();
                for (int j = 0; j < tokens.size(); j++) {
                    Token token = tokens.get(j);
                    String text = new String(bytes, token.start(), token.end() - token.start(), StandardCharsets.UTF_8);
                    again.append(token.kind() == Lexer.QUOTED ? '"' + text + '"' : text)
                            .append(' ');
                }
                ask.setString(1, soup.toString());
                ask.setString(2, again.toString());
                try (ResultSet result = ask.executeQuery()) {
                    result.next();
                    assertEquals(result.getString(1), result.getString(2), () -> soup + "\n" + again);
                    accepted +=
                            result.getString(1) == null || !result.getString(1).startsWith("error") ? 1 : 0;
                }
            }
        }
        assertTrue(accepted > 500, "the server accepted only " + accepted);
    }
}
