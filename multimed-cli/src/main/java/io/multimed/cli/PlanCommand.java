package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.SystemModel;
import io.multimed.model.topology.Topology;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ConfigurationReader;
import io.multimed.server.config.Overrides;
import io.multimed.server.config.SystemModelToml;
import io.multimed.server.config.TopologyFile;
import io.multimed.server.os.LinuxTopologyReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed plan}: the System Model of this or another machine, drawn in comments of a TOML document. */
final class PlanCommand {
    private static final Option CONFIG =
            Arguments.value("config", "FILE", "Configuration (default: every key's default).");
    private static final Option TOPOLOGY = Arguments.value(
            "topology",
            "FILE|DIR|PRESET",
            "Another machine: a TOML file, a directory with its sys/ and proc/, or one of "
                    + "arm64-64, epyc-64, hybrid-laptop, opteron-48, vm-2, xeon-2s.");

    static final Subcommand COMMAND = new Subcommand(
            "plan",
            "Show the System Model for this (or another) machine, as TOML and as a drawing of cores.",
            Stream.of(List.of(CONFIG), PlanOptions.ALL, List.of(TOPOLOGY))
                    .flatMap(List::stream)
                    .toList(),
            PlanCommand::run);

    private PlanCommand() {}

    private static int run(Arguments given) throws ParseException, ConfigurationException {
        Overrides overrides = PlanOptions.overrides(given, Optional.empty(), Optional.empty());
        Optional<Path> file = given.path(CONFIG);
        Configuration configuration = file.isEmpty()
                ? ConfigurationReader.defaults(overrides)
                : ConfigurationReader.read(file.get(), overrides);
        SystemModel model = plan(ConfigurationReader.planRequest(configuration), given.text(TOPOLOGY));
        CoreDrawing.of(model).lines().forEach(line -> System.out.println(("# " + line).stripTrailing()));
        System.out.println();
        System.out.print(SystemModelToml.of(model));
        System.out.flush();
        return 0;
    }

    private static SystemModel plan(PlanRequest request, Optional<String> topology) throws ConfigurationException {
        PlanRequest wanted = request;
        Topology machine;
        if (topology.isEmpty()) {
            machine = new LinuxTopologyReader(Path.of("/")).read();
        } else {
            TopologyFile file = TopologyFile.of(topology.get());
            machine = file.topology();
            wanted = new PlanRequest(
                    request.satellites(),
                    first(request.middlewareCores(), file.middlewareCores()),
                    first(request.masterCores(), file.masterCores()),
                    request.storage(),
                    request.satelliteSettings(),
                    request.nodes(),
                    request.parts());
        }
        try {
            return Planner.plan(machine, wanted);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(String.valueOf(e.getMessage()));
        }
    }

    private static OptionalInt first(OptionalInt preferred, OptionalInt otherwise) {
        return preferred.isPresent() ? preferred : otherwise;
    }
}
