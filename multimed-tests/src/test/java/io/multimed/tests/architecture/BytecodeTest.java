package io.multimed.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that a JDBC driver embeds in applications run on Java 17, the driver itself included. */
class BytecodeTest {
    private static final int JAVA_17 = 61;

    @ParameterizedTest
    @ValueSource(
            classes = {
                io.multimed.model.Freshness.class,
                io.multimed.sql.StatementClassifier.class,
                io.multimed.core.dispatch.Dispatcher.class,
                io.multimed.engine.embedded.registry.EmbeddedDatabases.class,
                io.multimed.jdbc.MultimedDriver.class
            })
    void allClassesOfEmbeddableModulesRunOnJava17(Class<?> one) throws Exception {
        URI module = one.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path path = Path.of(module);
        if (Files.isDirectory(path)) {
            check(path, one);
        } else {
            // The module is packaged already; the driver's jar then contains everything that it embeds.
            try (FileSystem jar = FileSystems.newFileSystem(path)) {
                check(jar.getPath("/"), one);
            }
        }
    }

    private static void check(Path root, Class<?> one) throws IOException {
        List<String> seen = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".class")).toList()) {
                assertEquals(JAVA_17, version(file), file.toString());
                seen.add(root.relativize(file).toString());
            }
        }
        assertTrue(seen.contains(one.getName().replace('.', '/') + ".class"), "its own class is among them");
    }

    private static int version(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            DataInputStream data = new DataInputStream(in);
            data.skipNBytes(6);
            return data.readUnsignedShort();
        }
    }
}
