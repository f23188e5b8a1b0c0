package io.multimed.tests.server;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.nio.file.Path;

/** The PostgreSQL of the tests: the embedded one, or an installed one with {@code -Dmultimed.test.engine-bin=DIRECTORY}. */
public final class TestBinaries {
    private TestBinaries() {}

    public static EngineBinaries get() throws EngineException, InterruptedException {
        String installed = System.getProperty("multimed.test.engine-bin", "");
        return installed.isEmpty()
                ? EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), (copied, total) -> {})
                : EngineBinaries.installed(Path.of(installed));
    }
}
