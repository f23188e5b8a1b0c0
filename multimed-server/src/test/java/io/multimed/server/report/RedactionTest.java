package io.multimed.server.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts for others contain nothing secret. */
class RedactionTest {
    private static final String SECRET = "h1dden";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01 00:00:00 UTC [1] STATEMENT:  ALTER ROLE bob PASSWORD 'h1dden'",
                "2026-01-01 00:00:00 UTC [1] STATEMENT:  ALTER ROLE bob PASSWORD 'h1dden' VALID UNTIL\n\t'h1dden'",
                "2026-01-01 00:00:00 UTC [1] STATEMENT:  SELECT $x$\n\th1dden$x$, 'it''s h1dden', E'\\'h1dden'",
                "2026-01-01 00:00:00 UTC [1] STATEMENT:  SELECT 'unfinished h1dden",
                "2026-01-01 00:00:00 UTC [1] LOG:  duration: 1.0 ms  statement: SELECT 'h1dden'",
                "2026-01-01 00:00:00 UTC [1] LOG:  statement: SELECT 'h1dden'",
                "2026-01-01 00:00:00 UTC [1] DETAIL:  Key (name)=(h1dden) already exists.",
                "2026-01-01 00:00:00 UTC [1] DETAIL:  Failing row contains (1, h1dden).",
                "2026-01-01 00:00:00 UTC [1] CONTEXT:  COPY t, line 1, column a: \"h1dden\"",
                "2026-01-01 00:00:00 UTC [1] QUERY:  SELECT 'h1dden'",
                "2026-01-01 00:00:00 UTC [1] ERROR:  invalid input syntax for type integer: \"h1dden\"",
                "2026-01-01 00:00:00 UTC [1] FATAL:  could not connect: password=h1dden host=x",
                "2026-01-01 00:00:00 UTC [1] LOG:  parameter \"primary_conninfo\" changed to \"host=x password=h1dden\"",
                "2026-01-01 00:00:00 UTC [1] LOG:  url postgresql://bob:h1dden@host/db",
                "2026-01-01 00:00:00.000 +0000 INFO [x] SlowLog: Slow statement: shape=\"\" text=\"SELECT 'a \\\"h1dden'\"",
                "{\"time\":\"x\",\"message\":\"Slow statement\",\"shape\":\"\",\"text\":\"SELECT 'a \\\"h1dden', E'\\\\'h1dden'\"}",
                "{\"time\":\"x\",\"message\":\"m\",\"api_token\":\"h1dden\"}",
                "settings = { work_mem = \"5MB\", app.api_token = \"h1dden\", app.passphrase = 'h1dden' }",
                "SCRAM-SHA-256$4096:salt$h1dden:h1dden",
            })
    void removesSecretsAndData(String text) {
        String shown = Redaction.log(text.lines().toList());
        assertFalse(shown.contains(SECRET), shown);
        String longOne = Redaction.log(
                text.replace(SECRET, SECRET.repeat(20_000)).lines().toList());
        assertFalse(longOne.contains(SECRET), "a long one");
    }

    @Test
    void keepsTheRest() {
        String log = """
                2026-01-01 00:00:00 UTC [1] ERROR:  relation "goods" does not exist at character 15
                2026-01-01 00:00:00 UTC [1] STATEMENT:  SELECT * FROM goods WHERE id = 5
                2026-01-01 00:00:01.000 +0000 WARN [main] io.multimed.X: Satellite 1 was lost
                java.io.IOException: gone
                \tat io.multimed.X.y(X.java:1)
                """;
        assertEquals(log.replace("= 5", "= ?"), Redaction.log(log.lines().toList()));
    }

    @Test
    void valuesOfTheConfiguration() {
        assertEquals("5MB", Redaction.value("nodes.master.settings.work_mem", "5MB"));
        assertEquals("/etc/server.key", Redaction.value("endpoint.tls.key", "/etc/server.key"));
        assertEquals(Redaction.REMOVED, Redaction.value("nodes.master.settings.app.api_token", SECRET));
        assertTrue(Redaction.value("satellites.a.queries", "SELECT 'h1dden'").startsWith("SELECT "));
        assertFalse(Redaction.value("satellites.a.queries", "SELECT 'h1dden'").contains(SECRET));
        assertFalse(Redaction.value("nodes.master.settings.ssl_x", "password=h1dden")
                .contains(SECRET));
    }

    @Test
    void anEmptyLogStaysEmpty() {
        assertEquals("\n", Redaction.log(List.of("")));
        assertEquals("", Redaction.log(List.of()));
    }
}
