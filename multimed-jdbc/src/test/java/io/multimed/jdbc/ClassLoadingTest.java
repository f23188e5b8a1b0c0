package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the driver in a container's own libraries, with engines there or in the application alone. */
class ClassLoadingTest {
    /** Returns a class loader with the class path except for entries that begin with one of these words. */
    private static URLClassLoader without(String... words) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(System.getProperty("path.separator"))) {
            boolean kept = true;
            for (String word : words) {
                kept &= !Path.of(entry).getFileName().toString().startsWith(word);
            }
            if (kept) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static Connection connect(ClassLoader driversOwn, String url) throws Exception {
        Driver driver = (Driver) driversOwn
                .loadClass(MultimedDriver.class.getName())
                .getConstructor()
                .newInstance();
        return driver.connect(url, new Properties());
    }

    @ParameterizedTest
    @CsvSource({
        "h2:mem:, 3, com.h2database:h2",
        "h2:mem:, 1, com.h2database:h2",
        "hsqldb:mem:, 3, org.hsqldb:hsqldb",
        "hsqldb:mem:, 1, org.hsqldb:hsqldb",
        "derby:memory:, 3, org.apache.derby:derby",
        "sqlite:, 1, org.xerial:sqlite-jdbc"
    })
    void anEngineThatTheApplicationAloneHasIsNotThere(String engine, int replicas, String artifact) throws Exception {
        String url = "jdbc:multimed:" + engine + UUID.randomUUID() + ";replicas=" + replicas
                + (replicas > 1 && engine.startsWith("derby") ? ";propagation=statements" : "");
        // The context class loader of this thread has all of them.
        try (URLClassLoader shared = without("h2-", "hsqldb-", "derby", "sqlite-jdbc-")) {
            SQLException missing = assertThrows(SQLException.class, () -> connect(shared, url));
            assertEquals("08001", missing.getSQLState());
            assertTrue(missing.getMessage().contains("is not on the class path"), missing.getMessage());
            assertTrue(missing.getMessage().contains(": add " + artifact + " to"), missing.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({"h2, 3", "h2, 1", "hsqldb, 3", "hsqldb, 1"})
    void anEngineBesideTheDriverIsFoundWhateverTheThreadKnows(String engine, int replicas) throws Exception {
        String url = "jdbc:multimed:" + engine + ":mem:" + UUID.randomUUID() + ";replicas=" + replicas;
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        try (URLClassLoader shared = without()) {
            current.setContextClassLoader(ClassLoader.getPlatformClassLoader());
            try (Connection connection = connect(shared, url)) {
                assertTrue(connection.isValid(1));
            }
        } finally {
            current.setContextClassLoader(before);
        }
    }
}
