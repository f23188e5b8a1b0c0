package io.multimed.engine.process;

import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs programs as the engines' user, in an environment reduced to the machine's settings. */
public final class EngineTool {
    private EngineTool() {}

    /**
     * Runs a program to its end.
     *
     * @return its output
     * @throws EngineException if it failed; the message ends with the error that it reports, or with its last line of output
     */
    public static String run(EngineUser user, List<String> command, Map<String, String> environment)
            throws EngineException, InterruptedException {
        String program = String.valueOf(Path.of(command.getFirst()).getFileName());
        try {
            ProcessBuilder builder = builder(user, command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new EngineException(program + " failed: " + reason(output) + ".");
            }
            return output;
        } catch (IOException e) {
            throw new EngineException("Cannot run " + program + ": " + e.getMessage() + ".", e);
        }
    }

    /**
     * Returns a process builder without the variables that engines and their clients read: the {@code PGOPTIONS} of the user
     * who starts Multimed would affect its standbys, and {@code MYSQL_HOME} its configuration files. The two by which a service tells a
     * postmaster how to protect itself, and not its backends, from the kernel's want of memory stay.
     */
    public static ProcessBuilder builder(EngineUser user, List<String> command) throws EngineException {
        ProcessBuilder builder = new ProcessBuilder(user.wrap(command));
        // The directory Multimed was started in may be closed to the engines' user.
        builder.directory(Path.of("/").toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> (name.startsWith("PG") && !name.startsWith("PG_OOM_ADJUST_"))
                        || name.startsWith("MYSQL")
                        || name.startsWith("MARIADB")
                        || (name.equals("HOME") && user.switched()));
        return builder;
    }

    /** Returns the first error in the output; the following lines only describe the cleanup. */
    private static String reason(String output) {
        List<String> lines = output.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.stream()
                .filter(line -> line.contains("FATAL:")
                        || line.contains("PANIC:")
                        || line.contains("error:")
                        || line.contains("[ERROR]"))
                .findFirst()
                .orElse(lines.isEmpty() ? "no message" : lines.getLast());
    }
}
