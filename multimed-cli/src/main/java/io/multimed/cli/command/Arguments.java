package io.multimed.cli.command;

import io.multimed.server.config.Suggestion;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;
import org.jspecify.annotations.Nullable;

/** The options given to a command, and their values. */
public record Arguments(CommandLine line) {
    /** Returns an option without a value. */
    public static Option flag(String name, String description) {
        return Option.builder().longOpt(name).desc(description).get();
    }

    /** Returns an option with a value. */
    public static Option value(String name, String placeholder, String description) {
        return value(null, name, placeholder, description);
    }

    public static Option value(@Nullable String letter, String name, String placeholder, String description) {
        return Option.builder(letter)
                .longOpt(name)
                .hasArg()
                .argName(placeholder)
                .desc(description)
                .get();
    }

    /** Returns an option that may have a value. */
    public static Option optionalValue(String name, String placeholder, String description) {
        return Option.builder()
                .longOpt(name)
                .hasArg()
                .optionalArg(true)
                .argName(placeholder)
                .desc(description)
                .get();
    }

    /** Reads a command line, or a part of it behind the name of a command. */
    public static Arguments parse(List<Option> options, List<String> arguments) throws ParseException {
        Options known = new Options();
        options.forEach(known::addOption);
        // Values stay unchanged: in SQL, quotes have a meaning. An abbreviation would change its meaning with the next
        // option.
        DefaultParser parser = DefaultParser.builder()
                .setAllowPartialMatching(false)
                .setStripLeadingAndTrailingQuotes(false)
                .get();
        CommandLine line;
        try {
            line = parser.parse(known, arguments.toArray(String[]::new));
        } catch (UnrecognizedOptionException e) {
            String name = e.getOption().replaceFirst("=.*", "");
            List<String> names = options.stream().map(Arguments::name).toList();
            throw new ParseException(
                    names.contains(name)
                            ? name + ": takes no value"
                            : "there is no option '" + name + "'; " + Suggestion.of(name, names));
        } catch (MissingArgumentException e) {
            throw needsValue(e.getOption());
        }
        if (!line.getArgList().isEmpty()) {
            throw new ParseException("unexpected argument '" + line.getArgList().getFirst() + "'");
        }
        Set<String> seen = new HashSet<>();
        for (Option option : line.getOptions()) {
            if (!seen.add(name(option))) {
                throw new ParseException(name(option) + ": may be given only once");
            }
            // An unset variable of a script gives an empty value; as a path it would mean the current directory.
            if (option.hasArg()
                    && option.getValue() != null
                    && option.getValue().isEmpty()) {
                throw needsValue(option);
            }
        }
        return new Arguments(line);
    }

    private static ParseException needsValue(Option option) {
        return new ParseException(name(option) + ": needs a value, " + option.getArgName());
    }

    public static String name(Option option) {
        return "--" + option.getLongOpt();
    }

    public boolean has(Option flag) {
        return line.hasOption(flag);
    }

    public Optional<String> text(Option option) {
        return Optional.ofNullable(line.getOptionValue(option));
    }

    public Optional<Path> path(Option option) {
        return text(option).map(Path::of);
    }

    public OptionalInt number(Option option) throws ParseException {
        String text = line.getOptionValue(option);
        try {
            return text == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new ParseException(name(option) + ": must be a whole number, not '" + text + "'");
        }
    }

    /** Returns a value of an enum, written in upper or lower case. */
    public <E extends Enum<E>> Optional<E> oneOf(Option option, Class<E> type) throws ParseException {
        String text = line.getOptionValue(option);
        if (text == null) {
            return Optional.empty();
        }
        for (E candidate : type.getEnumConstants()) {
            if (candidate.name().equalsIgnoreCase(text)) {
                return Optional.of(candidate);
            }
        }
        throw new ParseException(
                name(option) + ": must be " + option.getArgName().replace("|", " or ") + ", not '" + text + "'");
    }
}
