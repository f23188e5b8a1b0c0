package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.config.EndpointTimeouts;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** More clients hold a connection to an engine without using it than connections may execute side by side. */
@Timeout(60)
@Tag("slow")
class OpenTransactionsTest {
    private static final int SIDE_BY_SIDE = 2;
    private static final int TRANSACTIONS = 12;
    private static final int KEPT = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(300);
    private static final String LATE = "canceling statement due to statement timeout";
    /** A statement that runs on the Master and commits nothing. */
    private static final String WORK = "DO 'BEGIN END'";

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private final List<WireSession> holders = new ArrayList<>();

    /** Ways of holding a connection without using it. */
    enum Holds {
        IDLE_IN_TRANSACTION {
            @Override
            void begin(WireSession session) throws IOException {
                session.rows("BEGIN; SELECT pg_current_xact_id()");
            }
        },
        FAILED_TRANSACTION {
            @Override
            void begin(WireSession session) throws IOException {
                session.query("BEGIN; SELECT pg_current_xact_id(), 1/0");
            }
        },
        IDLE_BEHIND_FLUSH {
            @Override
            void begin(WireSession session) throws IOException {
                session.send(
                        FrontendBytes.parse("", "SELECT pg_current_xact_id()"),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.flush());
                session.client().readUntil("C");
            }
        },
        DOES_NOT_READ {
            @Override
            void begin(WireSession session) throws IOException {
                session.send(FrontendBytes.query(
                        "SELECT repeat('x', 1000000), pg_current_xact_id() FROM generate_series(1, 500)"));
            }
        },
        WAITS_FOR_LOCK {
            @Override
            void begin(WireSession session) throws IOException {
                session.send(FrontendBytes.query("SELECT pg_advisory_xact_lock(4711)"));
            }
        },
        COPIES_NOTHING {
            @Override
            void begin(WireSession session) throws IOException {
                session.send(FrontendBytes.query("COPY copied FROM STDIN"));
                session.client().readUntil("G");
            }
        },
        IDLE_ON_SATELLITE {
            @Override
            void begin(WireSession session) throws IOException {
                session.rows("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ");
                session.rows("SELECT count(*) FROM copied");
            }
        };

        abstract void begin(WireSession session) throws IOException;
    }

    private static String error(List<Message> messages) {
        Message error = messages.stream()
                .filter(each -> each.type() == 'E')
                .findFirst()
                .orElseThrow(() -> new AssertionError(Message.types(messages)));
        return error.fields().get('S') + " " + error.sqlState();
    }

    @BeforeEach
    void start() throws Exception {
        restart(UnaryOperator.identity());
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("CREATE TABLE IF NOT EXISTS copied (i int)");
        }
    }

    private static void restart(UnaryOperator<EndpointTimeouts> timeouts) throws IOException {
        EndpointLimits.ToEngine each =
                new EndpointLimits.ToEngine(SIDE_BY_SIDE, new ConnectionBudget.Limits(TRANSACTIONS, KEPT, 0));
        multimed.restartEndpoint(options -> options.withLimits(options.limits().withConnections(each, each))
                .withTimeouts(timeouts.apply(options.timeouts())));
    }

    @AfterEach
    void letGo() throws IOException {
        for (WireSession holder : holders) {
            holder.close();
        }
    }

    private void hold(Holds how, int many) throws IOException {
        for (int i = 0; i < many; i++) {
            WireSession session = multimed.open();
            holders.add(session);
            how.begin(session);
        }
    }

    @ParameterizedTest
    @EnumSource(Holds.class)
    void whoDoesNothingWithAConnectionLeavesOthersTheirs(Holds how) throws IOException {
        try (WireSession lock = multimed.openEngine();
                WireSession other = multimed.open()) {
            lock.rows("SELECT pg_advisory_lock(4711)");
            hold(how, TRANSACTIONS - 1);
            assertEquals("CZ", Message.types(other.query(WORK)));
            assertEquals("0", other.value("SELECT count(*) FROM copied"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE TEMP TABLE mine (i int)", "SELECT pg_advisory_lock_shared(1)"})
    void sessionsThatKeepTheirConnectionLeaveThoseOfTransactionsToOthers(String keeps) throws IOException {
        for (int i = 0; i < KEPT + TRANSACTIONS - 1; i++) {
            WireSession session = multimed.open();
            holders.add(session);
            session.rows(keeps);
        }
        try (WireSession other = multimed.open()) {
            assertEquals("CZ", Message.types(other.query(WORK)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "COMMIT; DO 'BEGIN SET app.name = 1; END'"})
    void noMoreExecuteSideBySideThanMayHoweverManyConnectionsThereAre(String ends) throws Exception {
        hold(Holds.IDLE_IN_TRANSACTION, TRANSACTIONS - SIDE_BY_SIDE);
        for (WireSession holder : holders) {
            holder.rows(ends);
        }
        try (WireSession engine = multimed.openEngine()) {
            String active = "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE state = 'active' AND query = 'SELECT pg_sleep(0.02), pg_current_xact_id()'";
            int answered = 0;
            int most = 0;
            for (int round = 0; round < 5; round++) {
                for (WireSession holder : holders) {
                    holder.send(FrontendBytes.query("SELECT pg_sleep(0.02), pg_current_xact_id()"));
                }
                for (WireSession holder : holders) {
                    most = Math.max(most, Integer.parseInt(engine.value(active)));
                    holder.ready();
                    answered++;
                }
            }
            assertEquals(5 * holders.size(), answered);
            assertTrue(most > 0 && most <= SIDE_BY_SIDE, most + " side by side");
        }
    }

    @Test
    void whoFindsAllInUseIsRefusedAndGoesOn() throws IOException {
        restart(timeouts -> timeouts.withConnection(Duration.ofMillis(500)));
        hold(Holds.IDLE_IN_TRANSACTION, TRANSACTIONS);
        try (WireSession other = multimed.open()) {
            List<Message> refused = other.query(WORK);
            assertEquals("ERROR 53300", error(refused));
            holders.removeFirst().close();
            assertEquals("CZ", Message.types(other.query(WORK)));
        }
    }

    @Test
    void connectionsThatKnowNamesOfParametersCountAsAllOthers() throws IOException {
        restart(timeouts -> timeouts.withConnection(Duration.ofMillis(500)));
        for (int i = 0; i < TRANSACTIONS; i++) {
            WireSession session = multimed.open();
            holders.add(session);
            session.rows("DO 'BEGIN SET app.name" + i + " = 1; END'");
            Holds.IDLE_IN_TRANSACTION.begin(session);
        }
        try (WireSession other = multimed.open()) {
            assertEquals("ERROR 53300", error(other.query(WORK)));
        }
    }

    @Test
    void whoWaitsForAConnectionIsSubjectToItsStatementTimeout() throws IOException {
        try (WireSession other = multimed.open()) {
            other.rows("SET statement_timeout = 200");
            hold(Holds.IDLE_IN_TRANSACTION, TRANSACTIONS);
            List<Message> late = other.query(WORK);
            assertEquals("ERROR 57014", error(late));
            assertEquals(LATE, late.getFirst().fields().get('M'));
            other.rows("BEGIN");
            assertEquals("ERROR 57014", error(other.query(WORK)));
            other.send(FrontendBytes.query("ROLLBACK"));
            assertEquals("CZ", Message.types(other.ready()));
            holders.removeFirst().close();
            assertEquals("CZ", Message.types(other.query(WORK)));
        }
    }

    @Test
    void waitAndExecutionTogetherAreSubjectToTheStatementTimeout() throws IOException {
        try (WireSession other = multimed.open()) {
            other.rows("SET statement_timeout = '2s'");
            hold(Holds.IDLE_IN_TRANSACTION, TRANSACTIONS);
            other.send(FrontendBytes.query("SELECT pg_sleep(1.9), pg_current_xact_id()"));
            assertNull(other.client().poll(A_MOMENT));
            holders.removeFirst().close();
            List<Message> late = other.ready();
            assertEquals("ERROR 57014", error(late));
            assertEquals(LATE, late.get(late.size() - 2).fields().get('M'));
            assertEquals("CZ", Message.types(other.query(WORK)));
        }
    }

    @Test
    void transactionThatHasBeenIdleForLongEndsWhenOthersWaitForItsConnection() throws IOException {
        restart(timeouts -> timeouts.withIdleTransaction(Duration.ofMillis(500)));
        hold(Holds.IDLE_IN_TRANSACTION, TRANSACTIONS);
        try (WireSession other = multimed.open()) {
            assertEquals("CZ", Message.types(other.query(WORK)));
        }
        assertEquals("FATAL 25P03", error(holders.getFirst().client().readToEnd()));
        holders.removeFirst().close();
        for (WireSession holder : holders) {
            assertEquals("CZ", Message.types(holder.query("COMMIT")));
        }
    }

    /** The client sends no data, and does not end the COPY. */
    @Test
    void copyThatHasBeenIdleForLongEndsWhenOthersWaitForItsConnection() throws IOException {
        restart(timeouts -> timeouts.withIdleTransaction(Duration.ofMillis(500)));
        hold(Holds.COPIES_NOTHING, TRANSACTIONS);
        try (WireSession other = multimed.open()) {
            assertEquals("CZ", Message.types(other.query(WORK)));
        }
        assertEquals("FATAL 25P03", error(holders.getFirst().client().readToEnd()));
        holders.removeFirst().close();
        for (WireSession holder : holders) {
            holder.send(FrontendBytes.copyDone());
            assertEquals("CZ", Message.types(holder.ready()));
        }
    }

    @Test
    void nobodyIsEndedForWhomNobodyWaits() throws IOException {
        restart(timeouts -> timeouts.withIdleTransaction(Duration.ofMillis(1)));
        hold(Holds.IDLE_IN_TRANSACTION, TRANSACTIONS);
        assertNull(holders.getFirst().client().poll(Duration.ofMillis(2500)));
    }

    @Test
    void whoLogsInIsNotKeptWaitingByIdleTransactions() throws IOException {
        EndpointLimits.ToEngine each =
                new EndpointLimits.ToEngine(SIDE_BY_SIDE, new ConnectionBudget.Limits(TRANSACTIONS, KEPT, 1));
        multimed.restartEndpoint(options -> options.withLimits(options.limits().withConnections(each, each)));
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("DROP ROLE IF EXISTS ordinary; CREATE ROLE ordinary LOGIN");
        }
        for (int i = 0; i < TRANSACTIONS; i++) {
            WireSession session = WireSession.open(multimed.address(), "ordinary", "postgres", PATIENCE);
            holders.add(session);
            session.rows("BEGIN; SELECT pg_current_xact_id()");
        }
        try (WireSession ordinary = WireSession.open(multimed.address(), "ordinary", "template1", PATIENCE);
                WireSession superuser = multimed.open()) {
            ordinary.send(FrontendBytes.query(WORK));
            assertNull(ordinary.client().poll(A_MOMENT));
            assertEquals("CZ", Message.types(superuser.query(WORK)));
            ordinary.cancel();
            assertEquals("ERROR 57014", error(ordinary.ready()));
        }
    }

    @Test
    void administratorSeesWhoHoldsWhatSinceWhen() throws Exception {
        hold(Holds.IDLE_IN_TRANSACTION, 1);
        hold(Holds.DOES_NOT_READ, 1);
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            EndpointTest.await(() -> states(admin)
                    .equals(List.of(
                            holders.getFirst().pid() + " idle in transaction",
                            holders.getLast().pid() + " client does not read")));
            List<String> master = admin.rows("SHOW POOLS").stream()
                    .filter(row -> "master".equals(row.getFirst()))
                    .findFirst()
                    .orElseThrow();
            assertEquals(Integer.toString(holders.getFirst().pid()), master.get(9));
        }
    }

    /** Returns clients and states, the longest held first. */
    private static List<String> states(WireSession admin) throws IOException {
        return admin.rows("SHOW SERVERS").stream()
                .map(row -> row.get(3) + " " + row.get(6))
                .toList();
    }
}
