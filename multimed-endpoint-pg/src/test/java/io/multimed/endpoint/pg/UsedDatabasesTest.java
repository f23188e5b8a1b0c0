package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A database to which clients are connected, though no engine session serves them at the moment. */
@Timeout(120)
@Tag("slow")
class UsedDatabasesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(options -> options.withLoops(2));

    @BeforeAll
    static void createTablespace() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("SET allow_in_place_tablespaces = on");
            engine.rows("CREATE TABLESPACE elsewhere LOCATION ''");
        }
    }

    @BeforeEach
    void createDatabase() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("CREATE DATABASE used");
        }
    }

    @AfterEach
    void dropDatabase() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("DROP DATABASE IF EXISTS used WITH (FORCE)");
            engine.rows("DROP DATABASE IF EXISTS other");
        }
    }

    private static WireSession open(ServerAddress address) throws IOException {
        return WireSession.open(address, "postgres", "used", PATIENCE);
    }

    @ParameterizedTest
    @CsvSource({
        "DROP DATABASE used, 1",
        "ALTER DATABASE used RENAME TO other, 2",
        "ALTER DATABASE used SET TABLESPACE elsewhere, 1",
        "CREATE DATABASE other TEMPLATE used, 2",
        "ALTER DATABASE used CONNECTION LIMIT 5, 1",
        "ALTER DATABASE used SET work_mem = '1MB', 1",
    })
    void isRefusedAsByPostgresql(String command, int clients) throws IOException {
        assertEquals(
                answer(multimed.engine.unix(), command, clients),
                answer(multimed.address(), command, clients),
                command);
    }

    private static List<String> answer(ServerAddress address, String command, int clients) throws IOException {
        List<WireSession> sessions = new ArrayList<>();
        try (WireSession administrator = WireSession.open(address, "postgres", "postgres", PATIENCE)) {
            for (int i = 0; i < clients; i++) {
                WireSession session = open(address);
                sessions.add(session);
                session.rows("SELECT 1");
            }
            List<Message> answer = administrator.query(command);
            return answer.stream().map(ComparedErrors::shown).toList();
        } finally {
            for (WireSession session : sessions) {
                session.close();
            }
        }
    }

    @Test
    void isDroppedAsSoonAsTheLastOneIsGone() throws Exception {
        try (WireSession administrator = multimed.open()) {
            try (WireSession client = open(multimed.address())) {
                client.rows("SELECT 1");
                administrator.send(FrontendBytes.query("DROP DATABASE used"));
                EndpointTest.await(UsedDatabasesTest::isWaitedFor);
            }
            assertEquals("CZ", types(administrator.ready()));
        }
    }

    private static boolean isWaitedFor() {
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            return admin.rows("SHOW CLIENTS").stream().anyMatch(row -> row.contains("waiting: retry"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whoWaitsForThatMayCancel() throws Exception {
        try (WireSession administrator = multimed.open();
                WireSession client = open(multimed.address())) {
            client.rows("SELECT 1");
            administrator.send(FrontendBytes.query("DROP DATABASE used"));
            EndpointTest.await(UsedDatabasesTest::isWaitedFor);
            administrator.cancel();
            List<Message> answer = administrator.ready();
            assertEquals("EZ", types(answer));
            assertEquals("57014", answer.getFirst().sqlState());
        }
    }

    @Test
    void force_endsWhoeverIsConnected() throws IOException {
        try (WireSession administrator = multimed.open();
                WireSession idle = open(multimed.address());
                WireSession busy = open(multimed.address());
                WireSession elsewhere = multimed.open()) {
            idle.rows("SELECT 1");
            busy.rows("BEGIN; CREATE TABLE t (i int)");
            assertEquals("CZ", types(administrator.query("DROP DATABASE used WITH (FORCE)")));
            for (WireSession session : List.of(idle, busy)) {
                List<Message> last = session.client().readToEnd();
                assertEquals("57P01", last.getLast().sqlState(), last::toString);
            }
            assertEquals("1", elsewhere.value("SELECT 1"));
        }
    }
}
