package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.describe;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.query;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Drivers send a savepoint directly before a statement that may fail (autosave of pgjdbc), and then roll back to it. */
@Timeout(60)
class RefusedInItsPlaceTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            BEGIN                                           | SET multimed.freshness = 'bogus'
            BEGIN                                           | EXECUTE multimed_1
            BEGIN READ ONLY                                 | SET multimed.freshness = 'bogus'
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY | SET multimed.freshness = 'bogus'
            """, quoteCharacter = '"')
    void statementThatMultimedRefusesLeavesWhatStandsBeforeItExecuted(String begin, String refused) throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows(begin);
            session.rows("SELECT 1; SAVEPOINT sp; DECLARE c CURSOR FOR SELECT 7");
            assertEquals(
                    "12C1EZ",
                    sent(
                            session,
                            parse("", "SAVEPOINT sp"),
                            bind("", ""),
                            execute("", 0),
                            parse("", refused),
                            bind("", ""),
                            execute("", 0),
                            parse("", "CLOSE c"),
                            bind("", ""),
                            execute("", 0),
                            sync()));
            assertEquals("CZ", types(session.query("ROLLBACK TO sp")));
            assertEquals("7", session.value("FETCH c"));
            session.rows("COMMIT");
        }
    }

    @Test
    void statementThatReturnsOtherThanWasToldLeavesWhatStandsBeforeItExecuted() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE told (i int)");
            assertEquals("1tTZ", sent(session, parse("p", "SELECT * FROM told"), describe('S', "p"), sync()));
            try (WireSession other = multimed.open()) {
                other.rows("ALTER TABLE told ADD COLUMN j int");
                other.rows("DISCARD ALL");
            }
            multimed.schemaVersion.incrementAndGet();
            session.rows("BEGIN; INSERT INTO told VALUES (1)");
            session.send(
                    parse("", "SAVEPOINT sp"),
                    bind("", ""),
                    execute("", 0),
                    bind("", "p"),
                    execute("", 0),
                    sync(),
                    query("ROLLBACK TO sp"));
            List<Message> answer = session.ready();
            assertEquals("12CEZ", types(answer));
            assertEquals("0A000", answer.get(3).sqlState());
            assertEquals("CZ", types(session.ready()));
            session.rows("COMMIT");
            assertEquals("1", session.value("SELECT count(*) FROM told"));
        }
    }

    private static String sent(WireSession session, byte[]... messages) throws IOException {
        session.send(messages);
        return types(session.ready());
    }
}
