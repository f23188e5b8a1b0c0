package io.multimed.testkit.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A program of this project as a user runs it: a JVM of its own, with the class path of the test. */
public record JavaProgram(String mainClass) {
    /** Starts the program. */
    public ProgramProcess start(String... arguments) throws IOException {
        return startWith(Map.of(), arguments);
    }

    /**
     * Starts the program.
     *
     * @param environment variables that differ there
     */
    public ProgramProcess startWith(Map<String, String> environment, String... arguments) throws IOException {
        return start(List.of(), environment, arguments);
    }

    /** Starts the command from a shell whose new files no other user may read. */
    public ProgramProcess startWithClosedUmask(String... arguments) throws IOException {
        return start(List.of("sh", "-c", "umask 077; exec \"$@\"", "sh"), Map.of(), arguments);
    }

    /** Starts the command with standard output on a full disk. */
    public ProgramProcess startWithFullOutput(String... arguments) throws IOException {
        return start(List.of("sh", "-c", "exec \"$@\" > /dev/full", "sh"), Map.of(), arguments);
    }

    /**
     * Starts the command as the child of a process that never asks for its children's status; {@link ProgramProcess#pid} is that process's.
     */
    public ProgramProcess startWithNegligentParent(String... arguments) throws IOException {
        return start(List.of("sh", "-c", "\"$@\" & exec sleep 600", "sh"), Map.of(), arguments);
    }

    /**
     * Starts the command in a terminal of its own, whose keys are {@link ProgramProcess#type}d; the terminal's output counts as standard
     * output.
     */
    public ProgramProcess startInTerminal(String... arguments) throws IOException {
        // A shell that stayed between the terminal and the command would end by the terminal's Ctrl-C, too, and return
        // its own status.
        String line = line(List.of(), arguments).stream()
                .map(argument -> "'" + argument + "'")
                .collect(Collectors.joining(" ", "exec ", ""));
        return new ProgramProcess(new ProcessBuilder("script", "-qfec", line, "/dev/null").start());
    }

    private ProgramProcess start(List<String> before, Map<String, String> environment, String... arguments)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line(before, arguments));
        builder.environment().putAll(environment);
        return new ProgramProcess(builder.start());
    }

    private List<String> line(List<String> before, String... arguments) {
        List<String> line = new ArrayList<>(before);
        line.addAll(List.of(
                // Tests that run in the background of a script ignore SIGINT, and this process would inherit that.
                "env",
                "--default-signal=INT,HUP",
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        line.addAll(List.of(arguments));
        return line;
    }

    /** Runs to the end; the exit status must be {@code status}. Returns its standard output. */
    public String run(int status, String... arguments) throws Exception {
        try (ProgramProcess command = start(arguments)) {
            int actual = command.awaitExit();
            String printed = command.printed();
            if (actual != status) {
                throw new AssertionError("exit status " + actual + ", printed: " + printed + command.errors());
            }
            return printed;
        }
    }
}
