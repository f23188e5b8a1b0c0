package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.postgresql.TestEngines;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two directories for the engines of a test, deleted after the test has ended its engines. */
abstract class EngineDirectories {
    /** On disk. */
    Path temp;
    /** In tmpfs. */
    Path memory;

    @BeforeEach
    void makeDirectories() throws Exception {
        temp = TestEngines.directory();
        memory = Files.createTempDirectory(Path.of("/dev/shm"), "multimed-test-");
        TestEngines.user().own(memory);
    }

    @AfterEach
    void deleteDirectories() throws Exception {
        TestEngines.delete(temp);
        TestEngines.delete(memory);
    }
}
