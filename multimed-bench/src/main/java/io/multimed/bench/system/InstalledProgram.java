package io.multimed.bench.system;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program of another project that this machine may have.
 *
 * @param name of the command
 * @param path where it lies; empty if nowhere on the PATH, nor among the administrator's programs
 * @param version empty if it does not report one
 */
record InstalledProgram(String name, Optional<Path> path, Optional<Version> version) {
    private static final String DIRECTORIES = System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin";

    static InstalledProgram find(String name) {
        Optional<Path> path = Arrays.stream(DIRECTORIES.split(":"))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
        return new InstalledProgram(name, path, path.flatMap(InstalledProgram::ask));
    }

    private static Optional<Version> ask(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            Matcher matcher = Pattern.compile("\\d+\\.\\d+")
                    .matcher(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            return matcher.find() ? Optional.of(Version.parse(matcher.group())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns why the program cannot be used; empty if it can. */
    Optional<String> missing(Version oldest) {
        if (path.isEmpty()) {
            return Optional.of("there is no program '" + name + "' on the PATH");
        }
        if (version.isEmpty()) {
            return Optional.of(path.get() + " does not tell its version");
        }
        return isFrom(oldest)
                ? Optional.empty()
                : Optional.of(path.get() + " is of version " + version.get() + ", and " + oldest + " is needed");
    }

    boolean isFrom(Version other) {
        return version.isPresent() && version.get().compareTo(other) >= 0;
    }

    /** @throws IllegalStateException if it is {@link #missing} */
    String command() {
        return path.orElseThrow(() -> new IllegalStateException("there is no " + name))
                .toString();
    }
}
