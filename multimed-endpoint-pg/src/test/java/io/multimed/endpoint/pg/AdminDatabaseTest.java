package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The database {@code multimed} as psql, drivers and pools use it. */
@Timeout(60)
class AdminDatabaseTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
    void aDriverReadsInWhateverModeAndWithinTransactions(String mode) throws SQLException {
        try (Connection connection = multimed.connectTo("multimed", "preferQueryMode=" + mode)) {
            connection.setAutoCommit(false);
            assertEquals(Connection.TRANSACTION_READ_COMMITTED, connection.getTransactionIsolation());
            try (PreparedStatement pools = connection.prepareStatement("SHOW POOLS")) {
                // After so many executions the driver prepares it under a name.
                for (int i = 0; i < 7; i++) {
                    assertEquals(List.of("master", "satellite-1"), nodes(pools.executeQuery()));
                }
            }
            connection.commit();
            assertTrue(connection.isValid(20));
            try (Statement statement = connection.createStatement()) {
                assertEquals(
                        "42601",
                        assertThrows(SQLException.class, () -> statement.executeQuery("SHOW NONSENSE"))
                                .getSQLState());
                connection.rollback();
                assertEquals(List.of("master", "satellite-1"), nodes(statement.executeQuery("SHOW POOLS")));
            }
        }
    }

    private static List<String> nodes(ResultSet rows) throws SQLException {
        try (rows) {
            List<String> nodes = new ArrayList<>();
            while (rows.next()) {
                nodes.add(rows.getString("node"));
            }
            return nodes.stream().distinct().sorted().toList();
        }
    }

    @Test
    void rowsAreFetchedBitByBit() throws SQLException {
        try (Connection connection = multimed.connectTo("multimed")) {
            connection.setAutoCommit(false);
            int all;
            try (Statement statement = connection.createStatement()) {
                all = count(statement.executeQuery("SHOW ROUTES"));
            }
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(2);
                assertEquals(all, count(statement.executeQuery("SHOW ROUTES")));
                statement.setMaxRows(1);
                assertEquals(1, count(statement.executeQuery("SHOW ROUTES")));
            }
        }
    }

    private static int count(ResultSet rows) throws SQLException {
        try (rows) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "show stats;;|TDDDDDDDCZ",
                "/* all /* of */ them */ SHOW -- those\\n STATS|TDDDDDDDCZ",
                "BEGIN; SHOW STATS; COMMIT|CTDDDDDDDCCZ",
                "SET application_name = 'a;b -- c'; SHOW client_encoding|CTDCZ",
                "RESET ALL|CZ",
                "-- nothing|IZ",
                "` ;; `|IZ",
                "SHOW STATS; SELECT now(); SHOW STATS|TDDDDDDDCEZ",
                "SELECT 1|EZ",
            })
    void takesWhatIsSentAroundItsCommands(String sql, String answer) throws IOException {
        try (WireSession session = open()) {
            assertEquals(answer, types(session.query(sql.replace("\\n", "\n"))));
            assertEquals("CZ", types(session.query("ROLLBACK")));
        }
    }

    @Test
    void saysThatATransactionIsOpenSinceDriversLookForIt() throws IOException {
        try (WireSession session = open()) {
            assertEquals('T', status(session.query("BEGIN")));
            assertEquals('T', status(session.query("SHOW STATS")));
            assertEquals('I', status(session.query("END")));
        }
    }

    @Test
    void anExtendedMessageThatFailsHasThoseUpToSyncIgnored() throws IOException {
        try (WireSession session = open()) {
            session.send(
                    FrontendBytes.parse("a", "SHOW STATS"),
                    FrontendBytes.describe('S', "a"),
                    FrontendBytes.bind("p", "a"),
                    FrontendBytes.describe('P', "p"),
                    FrontendBytes.execute("p", 4),
                    FrontendBytes.execute("p", 0),
                    FrontendBytes.close('P', "p"),
                    FrontendBytes.parse("", "SET a = 1"),
                    FrontendBytes.describe('S', ""),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            assertEquals("1tT2TDDDDsDDDC31tn2CZ", types(session.ready()));
            for (byte[] wrong : List.of(
                    FrontendBytes.parse("b", "SHOW NONSENSE"),
                    FrontendBytes.parse("a", "SHOW STATS"),
                    FrontendBytes.parse("b", "SHOW STATS; SHOW POOLS"),
                    FrontendBytes.message('P', new byte[] {'b'}),
                    FrontendBytes.message('E', new byte[] {0, 0}),
                    FrontendBytes.bind("", "b"),
                    FrontendBytes.bind("", "a", "a value"),
                    FrontendBytes.describe('S', "b"),
                    FrontendBytes.execute("p", 0))) {
                session.send(wrong, FrontendBytes.bind("", "a"), FrontendBytes.sync());
                assertEquals("EZ", types(session.ready()));
            }
            session.send(FrontendBytes.bind("", "a"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("2DDDDDDDCZ", types(session.ready()));
        }
    }

    @Test
    void knowsNoFunctionThatAMessageCalls() throws IOException {
        try (WireSession session = open()) {
            session.send(FrontendBytes.functionCall(1598, "4711"));
            List<Message> answer = session.ready();
            assertEquals("EZ", types(answer));
            assertEquals("42883", answer.getFirst().sqlState());
            session.send(FrontendBytes.message('F', new byte[] {0}));
            answer = session.ready();
            assertEquals("EZ", types(answer));
            assertEquals("08P01", answer.getFirst().sqlState());
            assertEquals("TDDDDDDDCZ", types(session.query("SHOW STATS")));
        }
    }

    @Test
    void nothingIsExecutedBetweenAFailedMessageAndSync() throws IOException {
        try (WireSession session = open()) {
            session.send(
                    FrontendBytes.bind("", "missing"),
                    FrontendBytes.query("SHOW STATS"),
                    FrontendBytes.functionCall(1598, "4711"),
                    FrontendBytes.sync());
            assertEquals("EZ", types(session.ready()));
            assertEquals("CZ", types(session.query("SET a = 1")));
        }
    }

    @Test
    void whatIsPreparedOnceTellsOfEachMoment() throws IOException {
        try (WireSession session = open();
                WireSession client = multimed.open()) {
            session.send(FrontendBytes.parse("a", "SHOW STATS"), FrontendBytes.sync());
            session.ready();
            long before = units(session);
            client.rows("SELECT 1");
            assertTrue(units(session) > before);
        }
    }

    private static long units(WireSession session) throws IOException {
        session.send(FrontendBytes.bind("", "a"), FrontendBytes.execute("", 1), FrontendBytes.sync());
        Message row = session.ready().get(1);
        return Long.parseLong(new String(Objects.requireNonNull(row.row().get(1)), StandardCharsets.UTF_8));
    }

    @Test
    void showsEachClientByItsProcessIdAndAddress() throws Exception {
        try (WireSession admin = open()) {
            String pid;
            try (WireSession client = multimed.open()) {
                pid = Integer.toString(client.pid());
                List<@Nullable String> row = admin.rows("SHOW CLIENTS").stream()
                        .filter(each -> pid.equals(each.get(5)))
                        .findFirst()
                        .orElseThrow();
                assertEquals("idle", row.get(2));
                assertTrue(String.valueOf(row.get(6)).matches("127\\.0\\.0\\.1:[0-9]+"), row::toString);
            }
            EndpointTest.await(() -> admin.rows("SHOW CLIENTS").stream().noneMatch(each -> pid.equals(each.get(5))));
        }
    }

    private static WireSession open() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE);
    }

    private static char status(List<Message> messages) {
        return (char) messages.getLast().body()[0];
    }
}
