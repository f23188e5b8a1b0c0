package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ConfigurationReader;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.doctor.Doctor;
import io.multimed.server.doctor.Finding;
import io.multimed.server.doctor.PresentMachine;
import io.multimed.server.home.Home;
import io.multimed.server.os.LinuxTopologyReader;
import io.multimed.server.startup.StartException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed doctor}: looks for what keeps an instance from running well here. */
final class DoctorCommand {
    /** The configuration with which the Debian package runs the instance of the system. */
    private static final Path OF_SERVICE = Path.of("/etc/multimed/multimed.toml");

    static final Option CONFIG = Arguments.value(
            "config", "FILE", "Configuration (default: DIR/multimed.toml, or the service's, if there).");

    static final Subcommand COMMAND = new Subcommand(
            "doctor",
            """
            Check this machine and the configuration, and say what mends each problem. Changes nothing.
            Each line begins with ok, warning or problem; the exit status is 1 if there is a problem.\
            """,
            Stream.of(List.of(DirectoryOption.DIR, CONFIG), PlanOptions.ALL)
                    .flatMap(List::stream)
                    .toList(),
            DoctorCommand::run);

    private DoctorCommand() {}

    private static int run(Arguments given) throws ParseException, InterruptedException {
        List<Finding> findings = findings(given);
        print(findings);
        return findings.stream().anyMatch(finding -> finding.grade() == Finding.Grade.PROBLEM) ? 1 : 0;
    }

    /** Examines the machine and the configuration that are named. */
    static List<Finding> findings(Arguments given) throws ParseException, InterruptedException {
        Home home = DirectoryOption.home(given);
        List<Finding> findings = new ArrayList<>();
        findings.add(finding(
                Finding.Grade.OK, "Multimed", Program.VERSION + ", Java " + Runtime.version(), Optional.empty()));
        Optional<Path> file = given.path(CONFIG)
                .or(() -> Stream.of(home.configuration(), OF_SERVICE)
                        .filter(candidate -> candidate != OF_SERVICE || home.isOfSystem())
                        .filter(candidate -> Files.exists(candidate, LinkOption.NOFOLLOW_LINKS))
                        .findFirst());
        try {
            var overrides = PlanOptions.overrides(given, Optional.empty(), Optional.empty());
            Configuration configuration = file.isPresent()
                    ? ConfigurationReader.read(file.get(), overrides)
                    : ConfigurationReader.defaults(overrides);
            findings.add(finding(
                    Finding.Grade.OK,
                    "configuration",
                    file.map(Path::toString).orElse("every key's default"),
                    Optional.empty()));
            findings.add(engine(configuration));
            SystemModel model = Planner.plan(
                    new LinuxTopologyReader(Path.of("/")).read(), ConfigurationReader.planRequest(configuration));
            findings.addAll(new Doctor(new PresentMachine(), configuration, model, home, isRunning(home)).examine());
        } catch (ConfigurationException e) {
            e.problems().forEach(problem -> findings.add(wrong(problem)));
        } catch (IllegalArgumentException e) {
            findings.add(wrong(String.valueOf(e.getMessage())));
        }
        return findings;
    }

    private static Finding wrong(String problem) {
        return finding(
                Finding.Grade.PROBLEM,
                "configuration",
                problem,
                Optional.of("change the file; docs/multimed.toml has all keys"));
    }

    private static Finding engine(Configuration configuration) throws InterruptedException {
        try {
            EngineBinaries binaries = configuration.engineBin().isPresent()
                    ? EngineBinaries.installed(configuration.engineBin().get())
                    : EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), (done, total) -> {});
            return finding(
                    Finding.Grade.OK,
                    "PostgreSQL",
                    binaries.version() + " in " + binaries.directory(),
                    Optional.empty());
        } catch (EngineException e) {
            return finding(
                    Finding.Grade.PROBLEM,
                    "PostgreSQL",
                    String.valueOf(e.getMessage()),
                    Optional.of("set engine.bin to the programs of an installed PostgreSQL"));
        }
    }

    private static boolean isRunning(Home home) {
        try {
            ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS);
            return true;
        } catch (StartException e) {
            return false;
        }
    }

    private static Finding finding(Finding.Grade grade, String subject, String text, Optional<String> remedy) {
        return new Finding(grade, subject, text, remedy);
    }

    private static void print(List<Finding> findings) {
        int width = findings.stream()
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        for (Finding finding : findings) {
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %-" + width + "s  %s%n",
                    finding.grade().name().toLowerCase(Locale.ROOT),
                    finding.subject(),
                    finding.text());
            finding.remedy().ifPresent(remedy -> System.out.println(" ".repeat(9 + width + 2) + "-> " + remedy));
        }
    }
}
