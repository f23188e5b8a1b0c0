package io.multimed.engine.process;

import java.nio.file.Path;
import java.util.List;

/**
 * The command that runs the main process of one engine.
 *
 * @param command the server program and its arguments
 * @param name of the engine, for readers of a process list
 * @param logFile appended to
 * @param gravest the marks of messages in the log that tell why the engine ended
 * @param user the user it runs as
 * @param binding its cores and memory
 * @param mayWrite the only directories in which the engine may write, besides its log; empty: wherever its user may
 * @param signalWhenOrphaned signal, without SIG, that asks it to end when Multimed vanishes
 */
public record LaunchCommand(
        List<String> command,
        String name,
        Path logFile,
        List<String> gravest,
        EngineUser user,
        CoreBinding binding,
        List<Path> mayWrite,
        String signalWhenOrphaned) {
    public LaunchCommand {
        command = List.copyOf(command);
        gravest = List.copyOf(gravest);
        mayWrite = List.copyOf(mayWrite);
    }
}
