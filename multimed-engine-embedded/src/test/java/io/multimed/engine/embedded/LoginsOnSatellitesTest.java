package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.model.Freshness;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests logins on Satellites, which happen when a session first reads there. Users and passwords may have changed by then. */
class LoginsOnSatellitesTest {
    private static Replicas open(String engine) throws SQLException {
        return new Replicas("jdbc:" + engine + ":mem:" + UUID.randomUUID(), 2);
    }

    private static EmbeddedSession session(Replicas replicas, String user, String password) throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", user);
        credentials.setProperty("password", password);
        return EmbeddedDatabases.connect(replicas.options, credentials, ReplicaListener.NONE);
    }

    private static void assertReadOnMaster(EmbeddedSession session) throws SQLException {
        Replica replica = session.beginRead(true);
        assertTrue(replica.onMaster());
        assertEquals(List.of("1|"), Replicas.rows(replica.connection(), "VALUES(1)"));
        replica.endRead();
    }

    private static void assertReadOnSatellite(EmbeddedSession session) throws SQLException {
        assertEquals(List.of("1|"), Replicas.read(session, "VALUES(1)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void whosePasswordHasChangedSinceReadsOnTheMaster(String engine) throws SQLException {
        try (Replicas replicas = open(engine);
                EmbeddedSession connected = replicas.session()) {
            assertReadOnSatellite(connected);
            replicas.ddl("ALTER USER SA SET PASSWORD 'new'");
            EmbeddedSession outdated = replicas.readers.get(0);
            assertReadOnMaster(outdated);
            assertReadOnMaster(outdated);
            assertReadOnSatellite(connected);
            try (EmbeddedSession renewed = session(replicas, "SA", "new")) {
                assertReadOnSatellite(renewed);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void whomASatelliteHasNotHeardOfYetIsLetInOnceItHas(String engine) throws SQLException {
        try (Replicas replicas = open(engine)) {
            replicas.ddl("CREATE USER late PASSWORD 'secret'");
            try (EmbeddedSession late = session(replicas, "LATE", "secret")) {
                late.freshness(Freshness.SESSION);
                assertReadOnSatellite(late);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void whoseSettingsASatelliteRefusesReadsOnTheMasterAndLeavesNoConnection(String engine) throws SQLException {
        try (Replicas replicas = open(engine)) {
            List<Connection> refused = new ArrayList<>();
            ReplicaListener refusing = connection -> {
                refused.add(connection);
                throw new SQLException("no such schema", "3F000");
            };
            try (EmbeddedSession session =
                    EmbeddedDatabases.connect(replicas.options, replicas.credentials, refusing)) {
                assertReadOnMaster(session);
            }
            assertEquals(1, refused.size());
            assertTrue(refused.get(0).isClosed());
            replicas.assertServing();
        }
    }
}
