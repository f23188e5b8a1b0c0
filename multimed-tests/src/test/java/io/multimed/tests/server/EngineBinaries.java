package io.multimed.tests.server;

import java.nio.file.Path;

/** Where {@code initdb} and {@code postgres} are. */
final class EngineBinaries {
    private EngineBinaries() {}

    static Path directory() {
        return Path.of(System.getProperty("multimed.test.engine-bin", "/usr/lib/postgresql/15/bin"));
    }
}
