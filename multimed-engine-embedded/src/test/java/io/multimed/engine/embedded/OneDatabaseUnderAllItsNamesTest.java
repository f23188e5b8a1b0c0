package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a database has one set of replicas under all its names. Otherwise one set would not receive the commits of the other.
 */
class OneDatabaseUnderAllItsNamesTest {
    @TempDir
    Path directory;

    private static EmbeddedSession open(String url) throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        return EmbeddedDatabases.connect(EmbeddedOptions.of(url, 2), credentials, ReplicaListener.NONE);
    }

    private static void assertOne(String url, String... others) throws SQLException {
        try (EmbeddedSession first = open(url)) {
            Replicas.ddl(first, "CREATE TABLE t(id INT PRIMARY KEY)");
            int id = 0;
            for (String other : others) {
                try (EmbeddedSession second = open(other)) {
                    assertSame(first.database(), second.database(), other);
                    Replicas.update(second, "INSERT INTO t VALUES(?)", ++id);
                    assertEquals(id, Replicas.read(first, "SELECT id FROM t").size());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aFile(String engine) throws SQLException {
        String url = "jdbc:" + engine + ":file:";
        Path relative = Path.of("").toAbsolutePath().relativize(directory.toAbsolutePath());
        assertOne(
                url + directory + "/shop",
                url + directory + "/./shop",
                url + directory + "/sub/../shop",
                url + "./" + relative + "/shop",
                url + directory + "/shop;IFEXISTS=TRUE");
    }

    @Test
    void aFileOfH2IsAlsoNamedWithoutSayingThatItIsOne() throws SQLException {
        assertOne("jdbc:h2:file:" + directory + "/shop", "jdbc:h2:" + directory + "/shop");
    }

    @Test
    void namesInTheMemoryOfHsqldbHaveNoCase() throws SQLException {
        String name = UUID.randomUUID().toString();
        assertOne("jdbc:hsqldb:mem:shop" + name, "jdbc:hsqldb:mem:SHOP" + name);
    }

    @Test
    void databasesOfH2WithoutNamesAreOnePerConnection() throws SQLException {
        try (EmbeddedSession first = open("jdbc:h2:mem:");
                EmbeddedSession second = open("jdbc:h2:mem:;MODE=MySQL")) {
            assertNotSame(first.database(), second.database());
            Replicas.ddl(first, "CREATE TABLE t(id INT)");
            Replicas.ddl(second, "CREATE TABLE t(id INT)");
        }
    }
}
