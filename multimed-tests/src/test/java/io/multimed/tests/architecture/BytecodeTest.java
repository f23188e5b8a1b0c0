package io.multimed.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a JDBC driver will embed in applications runs on Java 17. */
class BytecodeTest {
    private static final int JAVA_17 = 61;

    @ParameterizedTest
    @ValueSource(
            classes = {
                io.multimed.model.Scn.class,
                io.multimed.sql.StatementClassifier.class,
                io.multimed.engine.SatelliteControl.class,
                io.multimed.core.dispatch.Dispatcher.class
            })
    void embeddableModulesRunOnJava17(Class<?> type) throws IOException {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(file))) {
            DataInputStream data = new DataInputStream(in);
            data.skipNBytes(6);
            assertEquals(JAVA_17, data.readUnsignedShort());
        }
    }
}
