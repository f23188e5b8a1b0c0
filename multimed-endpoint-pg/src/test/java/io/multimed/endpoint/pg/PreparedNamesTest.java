package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.close;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.flush;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.query;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client's names of prepared statements when the messages that prepare or close them have no effect. */
@Timeout(60)
@Tag("slow")
class PreparedNamesTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void isFreeWhenTheEngineIgnoredTheMessageAfterAnError() throws IOException {
        try (WireSession session = multimed.open()) {
            // When the statement is prepared again, the engine holds it already, so it receives no Parse.
            assertEquals("1Z", types(session, parse("s", "SELECT 1"), sync()));
            assertEquals("EZ", types(session, parse("", "SELECT * FROM nothing"), parse("t", "SELECT 1"), sync()));
            assertEquals("1Z", types(session, parse("t", "SELECT 1"), sync()));
            assertEquals("2DCZ", types(session, bind("", "t"), execute("", 0), sync()));
        }
    }

    @Test
    void isFreeWhenTheUnitRunsAgainOnTheMaster() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.send(parse("s", "SELECT 3 FROM pg_sleep(1)"), bind("", "s"), execute("", 0), sync());
            multimed.loseTheSatellite();
            assertEquals("12DCZ", Message.types(session.ready()));
        }
    }

    @Test
    void isKnownStillWhenTheUnitThatClosesItRunsAgainOnTheMaster() throws Exception {
        try (WireSession session = multimed.open()) {
            assertEquals("1Z", types(session, parse("s", "SELECT 3 FROM pg_sleep(1)"), sync()));
            session.send(bind("", "s"), execute("", 0), close('S', "s"), sync());
            multimed.loseTheSatellite();
            assertEquals("2DC3Z", Message.types(session.ready()));
            assertEquals("EZ", types(session, bind("", "s"), execute("", 0), sync()));
        }
    }

    @Test
    void areNotTouchedWhenAQueryBehindTheirUnitRunsAgainOnTheMaster() throws Exception {
        try (WireSession session = multimed.open()) {
            assertEquals("12DCZ", types(session, parse("s", "SELECT 1"), bind("", "s"), execute("", 0), sync()));
            session.send(query("SELECT 3 FROM pg_sleep(1)"));
            multimed.loseTheSatellite();
            assertEquals("TDCZ", Message.types(session.ready()));
            assertEquals("2DCZ", types(session, bind("", "s"), execute("", 0), sync()));
        }
    }

    @Test
    void areThoseTheEngineHoldsThoughItIgnoredThatOneGivesWay() throws Exception {
        EndpointLimits.Prepared all = EndpointLimits.DEFAULT.prepared();
        EndpointLimits.Prepared one =
                new EndpointLimits.Prepared(all.perSession(), 1, all.statementBytes(), all.bytes());
        multimed.restartEndpoint(options ->
                options.withLimits(options.limits().withConnections(1, 1).withPrepared(one)));
        try (WireSession session = multimed.open()) {
            assertEquals("1Z", types(session, parse("x", "SELECT 1"), sync()));
            assertEquals("1Z", types(session, parse("y", "SELECT 2"), sync()));
            // The engine should close y and prepare x again, and does neither after the error.
            assertEquals(
                    "EZ", types(session, parse("", "SELECT * FROM nothing"), bind("", "x"), execute("", 0), sync()));
            assertEquals("2DCZ", types(session, bind("", "y"), execute("", 0), sync()));
            assertEquals("2DCZ", types(session, bind("", "x"), execute("", 0), sync()));

            session.rows("BEGIN");
            assertEquals("2DCZ", types(session, bind("", "y"), execute("", 0), sync()));
            session.send(parse("", "SELECT * FROM nothing"), flush());
            assertEquals('E', session.client().read().type());
            assertEquals("Z", types(session, bind("", "x"), execute("", 0), sync()));
            session.rows("ROLLBACK; BEGIN");
            assertEquals("2DCZ", types(session, bind("", "y"), execute("", 0), sync()));
            session.rows("ROLLBACK");
        }
    }

    /** The statement is too long to be remembered, so only the engine knows it. */
    @Test
    void aLongUnnamedOneIsThereStillThoughTheEngineIgnoredWhatWasToTakeItsPlace() throws Exception {
        String sql = "SELECT 7" + " ".repeat(EndpointLimits.DEFAULT.prepared().statementBytes());
        try (WireSession session = multimed.open()) {
            session.rows("BEGIN; SAVEPOINT s");
            // Named extended query messages are used, since a Query would drop the unnamed statement.
            assertEquals("1Z", types(session, parse("back", "ROLLBACK TO s"), sync()));
            assertEquals("1Z", types(session, parse("", sql), sync()));
            assertEquals(
                    "1EZ",
                    types(
                            session,
                            parse("x", "SELECT 1/0"),
                            bind("", "x"),
                            execute("", 0),
                            parse("", "SELECT 8"),
                            parse("", "SELECT 9"),
                            sync()));
            assertEquals("2CZ", types(session, bind("", "back"), execute("", 0), sync()));
            session.send(bind("", ""), execute("", 0), sync());
            List<Message> answer = session.ready();
            assertEquals("2DCZ", Message.types(answer), answer::toString);
            assertEquals(List.of("7"), answer.get(1).texts());
            session.rows("ROLLBACK");
        }
    }

    @Test
    void isDeallocatedThoughItsTableIsGone() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE passing (i int)");
            assertEquals("1Z", types(session, parse("s", "SELECT * FROM passing"), sync()));
            session.rows("DROP TABLE passing");
            session.send(query("DEALLOCATE s"));
            assertEquals("CZ", Message.types(session.ready()));
            assertEquals("1Z", types(session, parse("s", "SELECT 1"), sync()));
            assertEquals("2DCZ", types(session, bind("", "s"), execute("", 0), sync()));
        }
    }

    @Test
    void isExecutedBySqlAndDeallocatedInOneQuery() throws Exception {
        try (WireSession session = multimed.open()) {
            assertEquals("1Z", types(session, parse("s", "SELECT 7"), sync()));
            session.send(query("EXECUTE s; DEALLOCATE s"));
            assertEquals("TDCCZ", Message.types(session.ready()));
            assertEquals("EZ", types(session, bind("", "s"), execute("", 0), sync()));
        }
    }

    @Test
    void allThatAQueryDeallocatesAreFree() throws Exception {
        try (WireSession session = multimed.open()) {
            assertEquals("1112DCZ", prepareThree(session));
            assertEquals("CTDCCZ", Message.types(session.query("DEALLOCATE r; SELECT 1; DEALLOCATE s")));
            assertEquals("EZ", types(session, bind("", "r"), execute("", 0), sync()));
            assertEquals("EZ", types(session, bind("", "s"), execute("", 0), sync()));
            assertEquals("2DCZ", types(session, bind("", "t"), execute("", 0), sync()));
        }
    }

    /** DEALLOCATE is not undone. */
    @Test
    void whatWasDeallocatedBeforeAQueryFailedIsFree() throws Exception {
        try (WireSession session = multimed.open()) {
            assertEquals("1112DCZ", prepareThree(session));
            assertEquals("CEZ", Message.types(session.query("DEALLOCATE s; SELECT 1/0; DEALLOCATE t")));
            assertEquals("EZ", types(session, bind("", "s"), execute("", 0), sync()));
            assertEquals("2DCZ", types(session, bind("", "t"), execute("", 0), sync()));
            assertEquals("CEZ", Message.types(session.query("DEALLOCATE ALL; SELECT 1/0")));
            assertEquals("1112DCZ", prepareThree(session));
        }
    }

    @Test
    void onlyWhatWasExecutedOfASegmentIsDeallocated() throws Exception {
        try (WireSession session = multimed.open()) {
            assertEquals("1112DCZ", prepareThree(session));
            assertEquals(
                    "12DC12CEZ",
                    types(
                            session,
                            parse("", "SELECT 1"),
                            bind("", ""),
                            execute("", 0),
                            parse("", "DEALLOCATE r"),
                            bind("", ""),
                            execute("", 0),
                            parse("", "SELECT * FROM nothing"),
                            parse("", "DEALLOCATE s"),
                            bind("", ""),
                            execute("", 0),
                            sync()));
            assertEquals("EZ", types(session, bind("", "r"), execute("", 0), sync()));
            assertEquals("2DCZ", types(session, bind("", "s"), execute("", 0), sync()));
        }
    }

    /** Prepares statements that the Master executes, which deallocates them. */
    private static String prepareThree(WireSession session) throws IOException {
        return types(
                session,
                parse("r", "SELECT pg_current_xact_id() IS NULL"),
                parse("s", "SELECT pg_current_xact_id() IS NOT NULL"),
                parse("t", "SELECT pg_current_xact_id() = pg_current_xact_id()"),
                bind("", "t"),
                execute("", 0),
                sync());
    }

    @Test
    void isExecutedWithTheErrorOfPostgresThoughItsTableIsGone() throws Exception {
        List<String> expected;
        try (WireSession engine = multimed.openEngine()) {
            expected = withoutItsTable(engine);
        }
        try (WireSession session = multimed.open()) {
            assertEquals(expected, withoutItsTable(session));
        }
    }

    private static List<String> withoutItsTable(WireSession session) throws IOException {
        session.rows("CREATE TABLE passing (i int)");
        types(session, parse("s", "SELECT * FROM passing"), parse("t", "SELECT 7"), sync());
        session.rows("DROP TABLE passing");
        List<String> answers = new ArrayList<>();
        for (String sql : List.of(
                "EXECUTE s", "PREPARE s AS SELECT 1", "EXECUTE t", "BEGIN", "EXECUTE s", "EXECUTE t", "ROLLBACK")) {
            session.query(sql).forEach(message -> answers.add(message.toString()));
        }
        session.send(parse("", "EXECUTE s"), bind("", ""), execute("", 0), sync());
        session.ready().forEach(message -> answers.add(message.toString()));
        session.query("DEALLOCATE s").forEach(message -> answers.add(message.toString()));
        session.query("EXECUTE s").forEach(message -> answers.add(message.toString()));
        return answers;
    }

    private static String types(WireSession session, byte[]... messages) throws IOException {
        session.send(messages);
        return Message.types(session.ready());
    }
}
