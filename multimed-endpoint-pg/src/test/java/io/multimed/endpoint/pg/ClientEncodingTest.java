package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client with an encoding other than UTF-8, which Multimed uses internally. */
@Timeout(60)
class ClientEncodingTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    /** A view that calls a function of unknown effect. */
    @Test
    void nameIsNotTakenForOneOfWhichNothingIsKnown() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("CREATE FUNCTION unknown_code() RETURNS int LANGUAGE sql AS 'SELECT 1'");
            engine.rows("CREATE VIEW größe AS SELECT unknown_code()");
        }
        multimed.catalog = new DatabaseCatalog.Builder()
                .row("function", "unknown_code", "vo")
                .row("definition", "größe", "SELECT unknown_code()")
                .build();
        try (WireSession session = openLatin1()) {
            assertEquals("TDCZ", Message.types(ask(session, "SELECT * FROM größe")));
            assertTrue(session.value("SHOW multimed.route").startsWith("master"));
            assertEquals("TDCZ", Message.types(ask(session, "SELECT 'größe'")));
            assertTrue(session.value("SHOW multimed.route").startsWith("satellite-1"));
        }
    }

    @Test
    void settingIsTheSameOnTheNextConnection() throws IOException {
        try (WireSession session = openLatin1()) {
            ask(session, "SET app.who = 'Müller'");
            session.rows("BEGIN READ ONLY");
            assertEquals("Müller", shown(session));
            assertTrue(session.value("SHOW multimed.route").startsWith("satellite-1"));
            session.rows("COMMIT");
            session.rows("SET client_encoding = 'UTF8'");
            session.rows("BEGIN READ ONLY");
            assertEquals("Müller", session.value("SHOW app.who"));
        }
    }

    private static String shown(WireSession session) throws IOException {
        Message row = ask(session, "SHOW app.who").get(1);
        // The body of a row with one column: number of columns, length, value.
        return new String(row.body(), 6, row.body().length - 6, StandardCharsets.ISO_8859_1);
    }

    private static List<Message> ask(WireSession session, String sql) throws IOException {
        session.send(FrontendBytes.message('Q', (sql + '\0').getBytes(StandardCharsets.ISO_8859_1)));
        return session.ready();
    }

    private WireSession openLatin1() throws IOException {
        return WireSession.open(
                multimed.address(),
                Map.of("user", "postgres", "database", "postgres", "client_encoding", "LATIN1"),
                null,
                Duration.ofSeconds(20));
    }
}
