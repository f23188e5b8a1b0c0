package io.multimed.cli.command;

import io.multimed.server.config.Suggestion;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** A program of several commands. Finds the command that its arguments name, and runs or explains it. */
public final class Program {
    /** The version of Multimed. */
    public static final String VERSION = "0.1.0-SNAPSHOT";

    /** The texts of help that are not about one command. */
    public record Texts(String usage, String description, String also) {}

    /** A section of the manual page. */
    public record Section(String title, List<String> paragraphs) {}

    /** Explains exceptions that a user can do something about. */
    public interface Failures {
        /** Returns the explanation, one sentence each; nothing for an internal error. */
        List<String> sentences(Exception failure);
    }

    private static final int MISUSED = 2;

    private static final Option HELP_OPTION =
            Option.builder("h").longOpt("help").desc("Show this help and end.").get();
    private static final Option VERSION_OPTION = Option.builder("V")
            .longOpt("version")
            .desc("Print the version and end.")
            .get();
    private static final List<Option> STANDARD = List.of(HELP_OPTION, VERSION_OPTION);

    private final Texts texts;
    private final List<Subcommand> commands;
    private final List<Subcommand> hidden;
    private final Failures failures;

    /**
     * @param hidden further commands, which help does not list
     */
    public Program(Texts texts, List<Subcommand> commands, List<Subcommand> hidden, Failures failures) {
        this.texts = texts;
        this.commands = commands;
        this.hidden = hidden;
        this.failures = failures;
    }

    /** Executes a command on the standard streams, then ends the JVM with the exit status. */
    public void runAndExit(String... arguments) {
        int status = run(List.of(arguments), System.out, System.err);
        // Standard output may be on a full disk: then a script must not take the incomplete output for the answer.
        if (System.out.checkError() && status == 0) {
            System.err.println("multimed: standard output cannot be written");
            status = 1;
        }
        System.exit(status);
    }

    /**
     * Executes a command. Errors that a user can correct are printed as one sentence; only internal errors have a stack trace.
     *
     * @param out for help; a command itself prints to the standard streams
     * @return the exit status
     */
    public int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            return runOrThrow(arguments, out, err);
        } catch (ParseException misuse) {
            err.println("multimed: " + misuse.getMessage());
            err.println("See: multimed help"
                    + (arguments.isEmpty()
                            ? ""
                            : find(name(arguments)).map(c -> " " + c.name()).orElse("")));
            return MISUSED;
        } catch (InterruptedException e) {
            err.println("multimed: interrupted");
        } catch (Exception failure) {
            List<String> sentences = failures.sentences(failure);
            sentences.forEach(sentence -> err.println("multimed: " + sentence));
            if (sentences.isEmpty()) {
                err.println("multimed: internal error, please report it: " + failure);
                for (StackTraceElement element : failure.getStackTrace()) {
                    err.println("    at " + element);
                }
            }
        }
        return 1;
    }

    private int runOrThrow(List<String> arguments, PrintStream out, PrintStream err) throws Exception {
        if (arguments.isEmpty()) {
            err.println(help());
            return 0;
        }
        String name = name(arguments);
        List<String> rest = arguments.subList(words(name), arguments.size());
        if (name.startsWith("-")) {
            Arguments given = Arguments.parse(STANDARD, List.of(name));
            if (given.has(HELP_OPTION) || given.has(VERSION_OPTION)) {
                return answer(given, this::help, out);
            }
        }
        if (name.equals("help")) {
            out.println(
                    rest.isEmpty() || List.of("help", "-h", "--help").contains(rest.getFirst()) ? help() : help(rest));
            return 0;
        }
        Subcommand command = named(name);
        Arguments given = Arguments.parse(options(command), command.named(rest));
        return given.has(HELP_OPTION) || given.has(VERSION_OPTION)
                ? answer(given, () -> help(command), out)
                : command.body().run(given);
    }

    /** Returns the command at the beginning of the arguments: one word, or two if there is such a command. */
    private String name(List<String> arguments) {
        String two = arguments.stream().limit(2).collect(Collectors.joining(" "));
        return find(two).isPresent() ? two : arguments.getFirst();
    }

    private static int words(String name) {
        return name.split(" ").length;
    }

    private static int answer(Arguments given, Supplier<String> help, PrintStream out) {
        out.println(given.has(HELP_OPTION) ? help.get() : "multimed " + VERSION);
        return 0;
    }

    /**
     * Returns the page for section 1 of the manual.
     *
     * @param date of the program, as in {@code 2026-03-01}
     * @param more sections behind that with the commands
     */
    public String manual(String date, List<Section> more) {
        return ManualPage.of(texts, commands, STANDARD, date, more);
    }

    /** Returns a script with which bash completes command lines. */
    public String bashCompletion() {
        return new ShellCompletion(commands, STANDARD).bash();
    }

    /** Returns a script with which zsh completes command lines. */
    public String zshCompletion() {
        return new ShellCompletion(commands, STANDARD).zsh();
    }

    private String help() {
        return Help.of(texts, commands, STANDARD);
    }

    /** Explains a command; lists the commands of a group, such as {@code bench}. */
    private String help(List<String> arguments) throws ParseException {
        String name = name(arguments);
        return arguments.size() == 1 && commands.stream().anyMatch(command -> command.isOf(name))
                ? help()
                : help(named(name));
    }

    private static String help(Subcommand command) {
        return Help.of(command, options(command));
    }

    private static List<Option> options(Subcommand command) {
        return Stream.concat(command.options().stream(), STANDARD.stream()).toList();
    }

    private Subcommand named(String name) throws ParseException {
        List<String> below = commands.stream()
                .filter(command -> command.isOf(name))
                .map(command -> command.name().substring(name.length() + 1))
                .toList();
        if (!below.isEmpty()) {
            throw new ParseException(name + ": name one of " + String.join(", ", below));
        }
        return find(name)
                .orElseThrow(() -> new ParseException("there is no command '" + name + "'; "
                        + Suggestion.of(
                                name, commands.stream().map(Subcommand::name).toList())));
    }

    private Optional<Subcommand> find(String name) {
        return Stream.concat(commands.stream(), hidden.stream())
                .filter(command -> command.name().equals(name))
                .findFirst();
    }
}
