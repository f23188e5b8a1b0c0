package io.multimed.jdbc.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.jdbc.MultimedDriver;
import java.io.File;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the error for a driver that was compiled for a later version of Java. */
class EngineTooNewTest {
    private static final int LATER_MAJOR = 200;

    @TempDir
    private Path directory;

    private void makeTooNew(String name) throws Exception {
        String file = name.replace('.', '/') + ".class";
        try (InputStream known = getClass().getClassLoader().getResourceAsStream(file)) {
            byte[] bytes = known.readAllBytes();
            bytes[7] = (byte) LATER_MAJOR;
            Path made = directory.resolve(file);
            Files.createDirectories(made.getParent());
            Files.write(made, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.derby.iapi.jdbc.AutoloadedDriver derby:memory:x;create=true;propagation=statements",
                "org.sqlite.JDBC sqlite:x.db;propagation=statements",
                "org.h2.Driver h2:mem:x",
                "org.hsqldb.jdbc.JDBCDriver hsqldb:mem:x"
            })
    void theMessageSaysSo(String of) throws Exception {
        String[] parts = of.split(" ");
        makeTooNew(parts[0]);
        List<URL> path = new ArrayList<>(List.of(directory.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader application =
                new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> driver = application.loadClass(MultimedDriver.class.getName());
            Object instance = driver.getConstructor().newInstance();
            InvocationTargetException thrown = assertThrows(
                    InvocationTargetException.class,
                    () -> driver.getMethod("connect", String.class, Properties.class)
                            .invoke(instance, "jdbc:multimed:" + parts[1] + ";replicas=2", new Properties()));
            SQLException refused = assertInstanceOf(SQLException.class, thrown.getCause());
            assertEquals("08001", refused.getSQLState());
            String said = String.valueOf(refused.getMessage());
            assertTrue(said.contains("does not run on Java"), said);
            assertFalse(said.contains("description"), said);
        }
    }
}
