package io.multimed.cli;

import io.multimed.server.StartException;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.status.StatusJson;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code multimed status}: what every node is doing. */
@Command(name = "status", mixinStandardHelpOptions = true, description = "Show what every node is doing.")
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Option(names = "--json", description = "As one JSON object.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws StartException {
        Home home = directory.home();
        String answer = ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS);
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.println(json ? answer : StatusTable.of(StatusJson.read(answer)));
        out.flush();
        return 0;
    }
}
