package io.multimed.engine.postgresql.binaries;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The places in which the packages of Linux distributions install PostgreSQL's programs. */
public final class ProgramPlaces {
    private static final List<String> USUAL = List.of(
            "usr/lib/postgresql/%s/bin", // Debian, Ubuntu
            "usr/pgsql-%s/bin", // packages of the PostgreSQL project for Red Hat and SUSE
            "usr/lib/postgresql%s/bin", // SUSE
            "usr/libexec/postgresql%s", // Alpine
            "usr/local/pgsql-%s/bin",
            "opt/postgresql/%s/bin");

    private final Path root;

    /** Creates the places of this machine. */
    public ProgramPlaces() {
        this(Path.of("/"));
    }

    /** @param root the root of the file system */
    ProgramPlaces(Path root) {
        this.root = root;
    }

    /** Finds the directory of a program of a major version. */
    public Optional<Path> find(String program, String major) {
        return USUAL.stream()
                .map(place -> root.resolve(place.formatted(major)))
                .filter(directory -> Files.isExecutable(directory.resolve(program)))
                .findFirst();
    }
}
