package io.multimed.bench.system;

import io.multimed.engine.process.EngineUser;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The command that runs {@code multimed} again from within itself. */
public final class Launcher {
    /** Environment variable in which the launcher script passes its own path. */
    private static final String VARIABLE = "MULTIMED_LAUNCHER";

    private Launcher() {}

    /**
     * Returns the launcher script that ran this JVM; without one, this JVM's own Java, options and class path.
     *
     * @param main class of the program without the script
     */
    public static List<String> command(String main) {
        String script = System.getenv(VARIABLE);
        if (script != null && !script.isEmpty()) {
            return List.of(script);
        }
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:") || option.startsWith("-X") || option.startsWith("--"))
                .filter(option -> !option.startsWith("-XX:AOTCache"))
                .forEach(command::add);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main);
        return command;
    }

    /** Returns the user that runs Multimed: the one that runs this process. */
    static EngineUser user() {
        return new EngineUser(System.getProperty("user.name", ""), 0, 0, false);
    }
}
