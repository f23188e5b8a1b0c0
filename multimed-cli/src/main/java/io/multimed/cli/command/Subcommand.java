package io.multimed.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/**
 * One command of a program.
 *
 * @param description its first line is the summary in the list of commands
 * @param options in the order in which help shows them
 * @param operand the option whose value may stand without its name
 */
public record Subcommand(String name, String description, List<Option> options, Body body, Optional<Option> operand) {
    public Subcommand(String name, String description, List<Option> options, Body body) {
        this(name, description, options, body, Optional.empty());
    }

    /** Whether it is one of a group of commands, whose name is the first word of their own. */
    boolean isOf(String group) {
        return name.startsWith(group + " ");
    }

    /** Returns its name with what may follow, as in {@code explain [SQL] [OPTIONS]}. */
    String synopsis() {
        return name + operand.map(first -> " [" + first.getArgName() + "]").orElse("") + " [OPTIONS]";
    }

    /** Returns the arguments, with the operand's name in front of the first one that has none. */
    List<String> named(List<String> arguments) {
        if (operand.isEmpty()) {
            return arguments;
        }
        for (int i = 0; i < arguments.size(); i++) {
            if (!arguments.get(i).startsWith("-")) {
                List<String> named = new ArrayList<>(arguments);
                named.add(i, Arguments.name(operand.get()));
                return named;
            }
            if (takesNext(arguments.get(i))) {
                i++;
            }
        }
        return arguments;
    }

    /** Whether the argument is an option whose value is the argument behind it. */
    private boolean takesNext(String argument) {
        return options.stream()
                .filter(Option::hasArg)
                .anyMatch(option -> argument.equals(Arguments.name(option)) || argument.equals("-" + option.getOpt()));
    }

    /** The work of a command. */
    public interface Body {
        /**
         * @return the exit status
         * @throws ParseException for an invalid value of an option, before anything is done
         */
        int run(Arguments given) throws Exception;
    }
}
