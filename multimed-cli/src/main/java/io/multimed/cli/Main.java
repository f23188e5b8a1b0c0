package io.multimed.cli;

import io.multimed.bench.BenchException;
import io.multimed.engine.EngineException;
import io.multimed.server.Multimed;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.Suggestion;
import io.multimed.server.startup.StartException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** Entry point of {@code ./multimed}. */
public final class Main {
    private static final int MISUSED = 2;

    static final String VERSION_NAME = "0.1.0-SNAPSHOT";

    private static final Option HELP =
            Option.builder("h").longOpt("help").desc("Show this help and end.").get();
    private static final Option VERSION = Option.builder("V")
            .longOpt("version")
            .desc("Print the version and end.")
            .get();
    private static final List<Option> STANDARD = List.of(HELP, VERSION);

    static final List<Subcommand> COMMANDS = List.of(
            UpCommand.COMMAND,
            StatusCommand.COMMAND,
            DownCommand.COMMAND,
            SqlCommand.COMMAND,
            PlanCommand.COMMAND,
            DemoCommand.COMMAND,
            BenchTpcwCommand.COMMAND,
            BenchTpccCommand.COMMAND,
            BenchQuickCommand.COMMAND,
            BenchAllCommand.COMMAND,
            BenchTpcwCommand.BY_CLIENTS,
            BenchTpcwCommand.BY_CORES,
            BenchInteractionCommand.COMMAND,
            BenchFreshnessCommand.COMMAND,
            BenchApplyCommand.COMMAND,
            BenchCloneCommand.COMMAND,
            BenchReportCommand.COMMAND,
            BenchProjectCommand.COMMAND);

    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("up")) {
            // The native transport takes a while to load, so it is loaded while the configuration is read.
            Thread.ofPlatform().daemon().name("multimed-preload").start(Multimed::preload);
        }
        int status = execute(List.of(args));
        // Standard output may be on a full disk: then a script must not take the incomplete output for the answer.
        if (System.out.checkError() && status == 0) {
            System.err.println("multimed: standard output cannot be written");
            status = 1;
        }
        System.exit(status);
    }

    /**
     * Executes a command. Errors that a user can correct are printed as one sentence; only internal errors have a stack trace.
     */
    private static int execute(List<String> arguments) {
        try {
            return run(arguments);
        } catch (ParseException misuse) {
            System.err.println("multimed: " + misuse.getMessage());
            System.err.println("See: multimed help"
                    + (arguments.isEmpty()
                            ? ""
                            : find(name(arguments)).map(c -> " " + c.name()).orElse("")));
            return MISUSED;
        } catch (ConfigurationException wrong) {
            wrong.problems().forEach(problem -> System.err.println("multimed: " + problem));
        } catch (EngineException | StartException | BenchException failure) {
            System.err.println("multimed: " + failure.getMessage());
        } catch (InterruptedException e) {
            System.err.println("multimed: interrupted");
        } catch (Exception bug) {
            System.err.println("multimed: internal error, please report it: " + bug);
            for (StackTraceElement element : bug.getStackTrace()) {
                System.err.println("    at " + element);
            }
        }
        return 1;
    }

    private static int run(List<String> arguments) throws Exception {
        if (arguments.isEmpty()) {
            System.err.println(Help.of(COMMANDS, STANDARD));
            return 0;
        }
        String name = name(arguments);
        List<String> rest = arguments.subList(words(name), arguments.size());
        if (name.startsWith("-")) {
            Arguments given = Arguments.parse(STANDARD, List.of(name));
            if (given.has(HELP) || given.has(VERSION)) {
                return answer(given, () -> Help.of(COMMANDS, STANDARD));
            }
        }
        if (name.equals("help")) {
            System.out.println(
                    rest.isEmpty() || List.of("help", "-h", "--help").contains(rest.getFirst())
                            ? Help.of(COMMANDS, STANDARD)
                            : help(named(name(rest))));
            return 0;
        }
        Subcommand command = named(name);
        Arguments given = Arguments.parse(options(command), command.named(rest));
        return given.has(HELP) || given.has(VERSION)
                ? answer(given, () -> help(command))
                : command.body().run(given);
    }

    /** Returns the command at the beginning of the arguments: one word, or two if there is such a command. */
    private static String name(List<String> arguments) {
        String two = arguments.stream().limit(2).collect(Collectors.joining(" "));
        return find(two).isPresent() ? two : arguments.getFirst();
    }

    private static int words(String name) {
        return name.split(" ").length;
    }

    private static int answer(Arguments given, Supplier<String> help) {
        System.out.println(given.has(HELP) ? help.get() : "multimed " + VERSION_NAME);
        return 0;
    }

    private static String help(Subcommand command) {
        return Help.of(command, options(command));
    }

    private static List<Option> options(Subcommand command) {
        return Stream.concat(command.options().stream(), STANDARD.stream()).toList();
    }

    private static Subcommand named(String name) throws ParseException {
        List<String> below = COMMANDS.stream()
                .map(Subcommand::name)
                .filter(command -> command.startsWith(name + " "))
                .map(command -> command.substring(name.length() + 1))
                .toList();
        if (!below.isEmpty()) {
            throw new ParseException(name + ": name one of " + String.join(", ", below));
        }
        return find(name)
                .orElseThrow(() -> new ParseException("there is no command '" + name + "'; "
                        + Suggestion.of(
                                name, COMMANDS.stream().map(Subcommand::name).toList())));
    }

    /** Finds a command by its name, including the launcher's own one, which is not shown in lists. */
    private static Optional<Subcommand> find(String name) {
        return Stream.concat(COMMANDS.stream(), Stream.of(WarmUpCommand.COMMAND))
                .filter(command -> command.name().equals(name))
                .findFirst();
    }
}
