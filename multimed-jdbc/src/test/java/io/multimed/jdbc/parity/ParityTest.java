package io.multimed.jdbc.parity;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.jdbc.parity.Corpus.Feature;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests each feature of an engine's grammar, on the engine alone and through Multimed: the results are the same, and afterwards
 * all replicas have the same rows.
 */
@Tag("slow")
class ParityTest {
    @ParameterizedTest
    @CsvSource({"h2,1", "h2,3", "hsqldb,1", "hsqldb,3"})
    void everyFeatureAnswersAsTheEngineAlone(String engine, int replicas) throws SQLException {
        List<Feature> features = Corpus.read("/parity/" + engine + ".txt");
        String database = "parity" + UUID.randomUUID().toString().replace("-", "");
        String own = database.toUpperCase(Locale.ROOT);
        String other = "ALONE" + own;
        Secondaries secondaries = new Secondaries();
        String url = "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=" + replicas;
        try (Connection alone = connect("jdbc:" + engine + ":mem:alone" + database);
                Connection through = connect(url);
                Copies copies = new Copies(url, replicas)) {
            Stream<Executable> checks = features.stream().map(feature -> () -> {
                clear(engine, alone);
                clear(engine, through);
                List<String> expected = Answers.of(alone, feature.statements());
                List<String> actual = Answers.of(through, feature.statements());
                assertEquals(
                        String.join("\n", expected), String.join("\n", actual).replace(own, other), feature.name());
                secondaries.look(through);
                through.setAutoCommit(true);
                try {
                    copies.assertIdentical();
                } catch (SQLException | AssertionError e) {
                    throw new AssertionError(feature.name(), e);
                }
            });
            assertAll(engine + " with " + replicas + " replicas", checks);
        }
        assertTrue(
                replicas == 1 || secondaries.reads > features.size() / 4,
                "only " + secondaries.reads + " on satellites");
    }

    /** Number of features that ended with a read on a secondary. It must be positive, or else only Masters would be compared. */
    private static final class Secondaries {
        private int reads;

        void look(Connection through) throws SQLException {
            try (Statement statement = through.createStatement();
                    ResultSet route = statement.executeQuery("SHOW multimed.route")) {
                route.next();
                if (route.getString(1).startsWith("satellite")) {
                    reads++;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void thereAreThreeHundredFeaturesOfDistinctNames(String engine) {
        List<Feature> features = Corpus.read("/parity/" + engine + ".txt");
        assertTrue(features.size() >= 300, features.size() + " features");
        assertEquals(
                features.size(), features.stream().map(Feature::name).distinct().count());
        assertEquals(
                features.size(),
                features.stream().map(Feature::statements).distinct().count());
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "SA", "");
    }

    private static void clear(String engine, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute(engine.equals("h2") ? "DROP ALL OBJECTS" : "DROP SCHEMA PUBLIC CASCADE");
            statement.execute("SET SCHEMA PUBLIC");
        }
    }
}
