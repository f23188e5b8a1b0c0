package io.multimed.engine.mariadb.binaries;

import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs of one MariaDB release.
 *
 * @param server the server program, {@code mariadbd}
 * @param share the directory of error messages, character sets and the statements that make system tables
 * @param version as the server names it, such as {@code 11.4.5}
 */
public record MariaDbBinaries(Path server, Path share, String version) {
    /** The oldest release that Multimed runs: the first long-term one whose log a copy can follow. */
    public static final String OLDEST = "10.11";

    private static final int OLDEST_MAJOR = 10;
    private static final int OLDEST_MINOR = 11;
    private static final Pattern VERSION = Pattern.compile("Ver (\\d+)\\.(\\d+)\\.([^ -]*)-MariaDB");
    private static final Pattern LIBRARY = Pattern.compile("error while loading shared libraries: ([^:]+):");
    /** A file of the share directory whatever the release. */
    private static final Path MARK = Path.of("english/errmsg.sys");

    private static final List<String> DIRECTORIES_OF_SERVER = List.of("", "bin", "sbin", "libexec");
    private static final List<String> SHARES =
            List.of("share", "share/mariadb", "share/mysql", "../share", "../share/mariadb", "../share/mysql");

    /**
     * Returns the programs that are installed on the machine.
     *
     * @param directory the directory of the server program, or the one above it
     * @throws EngineException if there are none, they do not run, or they are not of a supported version
     */
    public static MariaDbBinaries installed(Path directory) throws EngineException, InterruptedException {
        Path named = directory.toAbsolutePath().normalize();
        Path server = server(named)
                .orElseThrow(
                        () -> new EngineException("No MariaDB in " + directory + ": there is no program mariadbd."));
        String version = version(server, directory);
        return new MariaDbBinaries(server, share(server), version);
    }

    private static Optional<Path> server(Path named) {
        for (String directory : DIRECTORIES_OF_SERVER) {
            for (String name : List.of("mariadbd", "mysqld")) {
                Path server = named.resolve(directory).resolve(name);
                if (Files.isRegularFile(server) && Files.isExecutable(server)) {
                    return Optional.of(server);
                }
            }
        }
        return Optional.empty();
    }

    private static String version(Path server, Path directory) throws EngineException, InterruptedException {
        String answer = answer(server);
        Matcher library = LIBRARY.matcher(answer);
        if (library.find()) {
            throw new EngineException("The program " + server + " needs the library " + library.group(1)
                    + ", which this machine does not have: install it (Debian and Ubuntu: 'apt-get install libcrypt1"
                    + " libsystemd0 libstdc++6' has the usual ones).");
        }
        Matcher matcher = VERSION.matcher(answer);
        if (!matcher.find()) {
            throw new EngineException(
                    "The program " + server + " is not a MariaDB server: it answered '" + answer.strip() + "'.");
        }
        int major = Integer.parseInt(matcher.group(1));
        int minor = Integer.parseInt(matcher.group(2));
        String version = major + "." + minor + "." + matcher.group(3);
        if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
            throw new EngineException("MariaDB " + version + " in " + directory
                    + " is not supported: Multimed runs versions from " + OLDEST + " on.");
        }
        return version;
    }

    private static Path share(Path server) throws EngineException {
        List<Path> candidates = new ArrayList<>();
        for (String share : SHARES) {
            candidates.add(server.resolveSibling(share).normalize());
        }
        for (Path candidate : candidates) {
            if (Files.exists(candidate.resolve(MARK))) {
                return candidate;
            }
        }
        throw new EngineException(
                "MariaDB's share directory, which holds " + MARK + ", is at none of " + candidates + ".");
    }

    private static String answer(Path server) throws EngineException, InterruptedException {
        try {
            Process process = new ProcessBuilder(server.toString(), "--no-defaults", "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return answer;
        } catch (IOException e) {
            throw new EngineException("The program " + server + " does not run: " + e.getMessage() + ".", e);
        }
    }

    /** Returns a file of the share directory whose name has changed from one release to another. */
    Optional<Path> shared(String... names) {
        for (String name : names) {
            Path file = share.resolve(name);
            if (Files.exists(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the files with the statements that make and fill the system tables, in their order.
     *
     * @throws EngineException if one of them is missing
     */
    public List<Path> systemTables() throws EngineException {
        List<Path> files = new ArrayList<>();
        String[][] names = {
            {"mariadb_system_tables.sql", "mysql_system_tables.sql"},
            {"mariadb_performance_tables.sql", "mysql_performance_tables.sql"},
            {"mariadb_system_tables_data.sql", "mysql_system_tables_data.sql"},
            {"fill_help_tables.sql"},
            {"maria_add_gis_sp_bootstrap.sql"},
            {"mariadb_sys_schema.sql", "mysql_sys_schema.sql"}
        };
        for (String[] alternatives : names) {
            files.add(shared(alternatives)
                    .orElseThrow(() -> new EngineException("MariaDB's share directory " + share + " has no "
                            + String.join(" or ", alternatives) + ".")));
        }
        return files;
    }
}
