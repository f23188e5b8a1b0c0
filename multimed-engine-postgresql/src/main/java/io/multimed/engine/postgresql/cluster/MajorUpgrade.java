package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.binaries.ProgramPlaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The ways on for a user whose data directory was made by another major version than the present programs'.
 *
 * @param directory the data directory
 * @param made the major version that made it
 */
record MajorUpgrade(Path directory, String made, EngineBinaries programs, ProgramPlaces places) {
    /** The first version whose pg_upgrade gives the new cluster the encoding and the locale of the old one. */
    private static final int CARRIES_LOCALE = 16;

    /** Returns the explanation, with the commands. */
    String explanation() {
        StringBuilder text = new StringBuilder("The data directory " + directory + " was made by PostgreSQL " + made
                + ", but the programs in " + programs.directory() + " are PostgreSQL " + programs.version() + ". ");
        Optional<Path> own = places.find("postgres", made);
        if (isSupported(made)) {
            text.append("To run it as it is, name programs of its version: --engine-bin ")
                    .append(own.map(Path::toString).orElse("BIN_OF_" + made))
                    .append(own.isPresent() ? "" : ", where PostgreSQL " + made + " is installed")
                    .append(". ");
        }
        if (isOlder()) {
            upgrade(text, own);
        } else {
            text.append("PostgreSQL cannot take data back to an older version.");
        }
        return text.toString().strip();
    }

    private void upgrade(StringBuilder text, Optional<Path> own) {
        String major = Integer.toString(programs.major());
        Optional<Path> upgrading = Files.isExecutable(programs.directory().resolve("pg_upgrade"))
                ? Optional.of(programs.directory())
                : places.find("pg_upgrade", major);
        String newBin = upgrading.map(Path::toString).orElse("BIN_OF_" + major);
        String oldBin = own.map(Path::toString).orElse("BIN_OF_" + made);
        Path upgraded = directory.resolveSibling(directory.getFileName() + "-" + major);
        text.append("To upgrade it")
                .append(upgrading.isPresent() ? "" : ", install PostgreSQL " + major + " with its pg_upgrade, and")
                .append(" run, as the user who owns it, in a directory where that user may write:\n\n  ")
                .append(newBin + "/initdb --pgdata=" + upgraded + " --username=" + DataDirectory.SUPERUSER
                        + " --auth=trust " + checksums())
                .append(programs.major() < CARRIES_LOCALE ? " with the same --encoding and --locale" : "")
                .append("\n  " + newBin + "/pg_upgrade --username=" + DataDirectory.SUPERUSER + " --old-bindir="
                        + oldBin + " --new-bindir=" + newBin + " --old-datadir=" + directory + " --new-datadir="
                        + upgraded)
                .append("\n\nThen ")
                .append(
                        directory.endsWith("data")
                                ? "put " + upgraded + " in the place of " + directory + "."
                                : "name " + upgraded + " with --dir.");
    }

    /** Both clusters must have checksums, or none of them. */
    private String checksums() {
        Optional<Boolean> has = DataDirectory.hasChecksums(directory, made);
        return has.map(yes -> yes
                        ? "--data-checksums"
                        : programs.major() >= EngineBinaries.NEWEST ? "--no-data-checksums" : "")
                .orElse("[--data-checksums, if the old one has them]")
                .strip();
    }

    private boolean isOlder() {
        try {
            // Versions before 10 have two numbers, as 9.6 has.
            return Double.parseDouble(made) < programs.major();
        } catch (NumberFormatException notAVersion) {
            return false;
        }
    }

    private static boolean isSupported(String major) {
        return major.matches("\\d{1,3}")
                && Integer.parseInt(major) >= EngineBinaries.OLDEST
                && Integer.parseInt(major) <= EngineBinaries.NEWEST;
    }
}
