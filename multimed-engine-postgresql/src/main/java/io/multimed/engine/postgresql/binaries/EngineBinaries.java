package io.multimed.engine.postgresql.binaries;

import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs of one PostgreSQL release.
 *
 * @param directory holds {@code postgres} and {@code initdb}
 * @param major 15 to 18
 * @param version as the server names it, such as {@code 18.6}
 */
public record EngineBinaries(Path directory, int major, String version) {
    /** The oldest release that Multimed runs: the first with the present backup functions. */
    public static final int OLDEST = 15;
    /** The newest release that Multimed was tried with. */
    public static final int NEWEST = 18;

    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) ((\\d+)[^ \\n]*)");

    /**
     * Returns the programs that are installed on the machine.
     *
     * @param directory the directory of the programs, or the one above it
     * @throws EngineException if there are none, they do not run, or they are not of a supported version
     */
    public static EngineBinaries installed(Path directory) throws EngineException, InterruptedException {
        Path bin = directory.toAbsolutePath().normalize();
        if (!Files.exists(bin.resolve("postgres")) && Files.exists(bin.resolve("bin/postgres"))) {
            bin = bin.resolve("bin");
        }
        for (String program : new String[] {"postgres", "initdb"}) {
            if (!Files.isExecutable(bin.resolve(program))) {
                throw new EngineException("No PostgreSQL in " + directory + ": " + bin.resolve(program)
                        + (Files.exists(bin.resolve(program)) ? " cannot be executed." : " does not exist."));
            }
        }
        String answer = versionAnswer(bin.resolve("postgres"));
        Matcher matcher = VERSION.matcher(answer);
        if (!matcher.find()) {
            throw new EngineException("The program " + bin.resolve("postgres")
                    + " is not a PostgreSQL server: it answered '" + answer.strip() + "'.");
        }
        int major = Integer.parseInt(matcher.group(2));
        if (major < OLDEST || major > NEWEST) {
            throw new EngineException("PostgreSQL " + matcher.group(1) + " in " + directory
                    + " is not supported: Multimed runs versions " + OLDEST + " to " + NEWEST + ".");
        }
        return new EngineBinaries(bin, major, matcher.group(1));
    }

    public Path postgres() {
        return directory.resolve("postgres");
    }

    public Path initdb() {
        return directory.resolve("initdb");
    }

    private static String versionAnswer(Path postgres) throws EngineException, InterruptedException {
        try {
            Process process = new ProcessBuilder(postgres.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return answer;
        } catch (IOException e) {
            throw new EngineException("The program " + postgres + " does not run: " + e.getMessage() + ".", e);
        }
    }
}
