package io.multimed.engine.postgresql.binaries;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A distribution of Multimed that this program runs from, in which the engines' programs are unpacked already.
 *
 * @param directory of the whole distribution; nothing in it is ever written
 */
public record Installation(Path directory) {
    /** The system property by which the launcher of a distribution names its directory. */
    public static final String PROPERTY = "multimed.installation";

    /** The directory of PostgreSQL's programs below that of a distribution. */
    public static final String POSTGRESQL = "engines/postgresql";

    /** Returns the distribution; nothing where this program runs from a source checkout. */
    public static Optional<Installation> present() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of).map(Installation::new);
    }

    /** Returns the directory of the embedded PostgreSQL; nothing if the distribution has none. */
    Optional<Path> postgresql() {
        Path bin = directory.resolve(POSTGRESQL).resolve("bin");
        return Files.isDirectory(bin) ? Optional.of(bin) : Optional.empty();
    }
}
