package io.multimed.bench.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.server.config.Suggestion;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/**
 * An option, and the value that it has if the command line does not name it.
 *
 * @param standard that value, in the form of the option
 */
record Choice(Option option, String standard) {
    static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");
    private static final int MOST_NUMBERS = 100;

    static Choice of(String name, String placeholder, String description, String standard) {
        return of(name, placeholder, description, standard, standard);
    }

    /** @param told the default in words */
    static Choice of(String name, String placeholder, String description, String standard, String told) {
        return new Choice(
                Arguments.value(
                        name, placeholder, description + (told.isEmpty() ? "" : " (default: " + told + ")") + "."),
                standard);
    }

    /** Returns the same option with another default. */
    Choice or(String another, String told) {
        return of(
                option.getLongOpt(),
                option.getArgName(),
                option.getDescription().replaceFirst("(?s) \\(default: [^)]*\\)\\.$|\\.$", ""),
                another,
                told);
    }

    String name() {
        return Arguments.name(option);
    }

    String text(Arguments given) {
        return given.text(option).orElse(standard);
    }

    /** Returns a number whose range is checked elsewhere. */
    int number(Arguments given) throws ParseException {
        return number(given, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** @throws ParseException for a number outside of the range, or something else */
    int number(Arguments given, int least, int most) throws ParseException {
        return within(given.has(option) ? given.number(option).orElseThrow() : Integer.parseInt(standard), least, most);
    }

    private int within(int number, int least, int most) throws ParseException {
        if (number < least || number > most) {
            throw new ParseException(name() + ": must be from " + least + " to " + most + ", not " + number);
        }
        return number;
    }

    List<Integer> numbers(Arguments given) throws ParseException {
        return numbers(given, 0, Integer.MAX_VALUE);
    }

    /** Returns numbers and ranges of them, ascending: {@code 1-4,8}. */
    List<Integer> numbers(Arguments given, int least, int most) throws ParseException {
        String text = text(given);
        Set<Integer> numbers = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                throw new ParseException(name() + ": must be numbers such as 8, 1-8 or 1,8,64, not '" + text + "'");
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first || last - first >= MOST_NUMBERS) {
                throw new ParseException(
                        name() + ": '" + part.strip() + "' is no range of up to " + MOST_NUMBERS + " numbers");
            }
            for (int number = first; number <= last; number++) {
                numbers.add(within(number, least, most));
            }
        }
        return List.copyOf(numbers);
    }

    /** Returns names, in the order given; each must be one of those that exist. */
    List<String> names(Arguments given, String what, List<String> all) throws ParseException {
        Set<String> names = new LinkedHashSet<>();
        for (String name : text(given).split(",", -1)) {
            if (!all.contains(name.strip())) {
                throw new ParseException(
                        name() + ": there is no " + what + " '" + name + "'; " + Suggestion.of(name, all));
            }
            names.add(name.strip());
        }
        return List.copyOf(names);
    }
}
