package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.describe;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** DDL changes the result columns of a prepared statement after the client has received their description. */
@Timeout(60)
class ResultShapeCheckTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void isRefusedByTheRoutineThatDriversKnowOnAnEngineConnectionThatLacksTheStatement() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE told (i int)");
            session.send(parse("s", "SELECT * FROM told"), describe('S', "s"), sync());
            assertEquals("1tTZ", Message.types(session.ready()));

            session.rows("ALTER TABLE told ADD COLUMN j int");
            multimed.schemaVersion.incrementAndGet();
            session.rows("BEGIN; INSERT INTO told VALUES (1)");
            session.send(bind("", "s"), execute("", 0), sync());
            Message refusal = session.ready().getFirst();
            Map<Character, String> fields = refusal.fields();
            assertEquals("0A000", refusal.sqlState());
            assertEquals("cached plan must not change result type", fields.get('M'));
            assertEquals("RevalidateCachedQuery", fields.get('R'));
            session.rows("ROLLBACK");
        }
    }

    @Test
    void isExecutedOnAnEngineConnectionThatLacksItWhenOtherTablesChanged() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE told (i int)");
            session.send(parse("s", "SELECT * FROM told"), describe('S', "s"), sync());
            assertEquals("1tTZ", Message.types(session.ready()));

            session.rows("CREATE TABLE other (i int)");
            multimed.schemaVersion.incrementAndGet();
            session.rows("BEGIN; INSERT INTO told VALUES (1)");
            session.send(bind("", "s"), execute("", 0), sync());
            assertEquals("2DCZ", Message.types(session.ready()));
            session.rows("ROLLBACK");
        }
    }

    /** pgjdbc describes only the portal, and omits even that once it knows the columns. */
    @Test
    void isRefusedToAClientThatHasHadThePortalDescribedAlone() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE told (i int)");
            session.send(parse("s", "SELECT * FROM told"), bind("", "s"), describe('P', ""), execute("", 0), sync());
            assertEquals("12TCZ", Message.types(session.ready()));

            session.rows("ALTER TABLE told ADD COLUMN j int");
            multimed.schemaVersion.incrementAndGet();
            session.rows("BEGIN; INSERT INTO told VALUES (1)");
            session.send(bind("", "s"), execute("", 0), sync());
            assertEquals("0A000", session.ready().getFirst().sqlState());
            session.rows("ROLLBACK");
        }
    }

    /** The Satellite, which has prepared the statement, is not asked; the Master has to give the parameter the same type. */
    @Test
    void hasTheSameTypesOfParametersOnAnEngineConnectionThatPreparesItLater() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE told (i real)");
            session.rows("BEGIN READ ONLY");
            session.send(parse("s", "SELECT 1 FROM told WHERE i < $1"), describe('S', "s"), sync());
            Message types = session.ready().get(1);
            session.rows("COMMIT");

            session.rows("ALTER TABLE told ALTER i TYPE float8");
            multimed.schemaVersion.incrementAndGet();
            session.rows("BEGIN; INSERT INTO told VALUES (1)");
            session.send(describe('S', "s"), sync());
            assertEquals(types.toString(), session.ready().getFirst().toString());
            session.rows("ROLLBACK");
        }
    }
}
