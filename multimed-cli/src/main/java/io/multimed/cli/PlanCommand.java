package io.multimed.cli;

import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.SystemModel;
import io.multimed.model.topology.Topology;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ConfigurationReader;
import io.multimed.server.config.SystemModelToml;
import io.multimed.server.config.TopologyFile;
import io.multimed.server.os.LinuxTopologyReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code multimed plan}: the System Model of this or another machine, drawn in comments of a TOML document. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = "Show the System Model for this (or another) machine, as TOML and as a drawing of cores.")
final class PlanCommand implements Callable<Integer> {
    @Mixin
    private final PlanOptions options = new PlanOptions();

    @Option(
            names = "--topology",
            paramLabel = "FILE|DIR|PRESET",
            description = "Another machine: a TOML file, a directory with its sys/ and proc/, or one of "
                    + "arm64-64, epyc-64, hybrid-laptop, opteron-48, vm-2, xeon-2s.")
    @Nullable
    private String topology;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws ConfigurationException {
        Path file = options.config;
        Configuration configuration = file == null
                ? ConfigurationReader.defaults(options.overrides(null, null))
                : ConfigurationReader.read(file, options.overrides(null, null));
        SystemModel model = plan(ConfigurationReader.planRequest(configuration));
        PrintWriter out = java.util.Objects.requireNonNull(spec).commandLine().getOut();
        CoreDrawing.of(model).lines().forEach(line -> out.println(("# " + line).stripTrailing()));
        out.println();
        out.print(SystemModelToml.of(model));
        out.flush();
        return 0;
    }

    private SystemModel plan(PlanRequest request) throws ConfigurationException {
        PlanRequest wanted = request;
        Topology machine;
        if (topology == null) {
            machine = new LinuxTopologyReader(Path.of("/")).read();
        } else {
            TopologyFile file = TopologyFile.of(topology);
            machine = file.topology();
            wanted = new PlanRequest(
                    request.satellites(),
                    first(request.middlewareCores(), file.middlewareCores()),
                    first(request.masterCores(), file.masterCores()),
                    request.storage(),
                    request.satelliteSettings(),
                    request.nodes());
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
