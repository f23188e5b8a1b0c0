package io.multimed.cli.command;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/**
 * One command of a program.
 *
 * @param description its first line is the summary in the list of commands
 * @param options in the order in which help shows them
 * @param operand the option whose value may stand first, without its name
 */
public record Subcommand(String name, String description, List<Option> options, Body body, Optional<Option> operand) {
    public Subcommand(String name, String description, List<Option> options, Body body) {
        this(name, description, options, body, Optional.empty());
    }

    /** Whether it is one of a group of commands, whose name is the first word of their own. */
    boolean isOf(String group) {
        return name.startsWith(group + " ");
    }

    /** Returns the arguments, with its name in front of a first one that has none. */
    List<String> named(List<String> arguments) {
        if (operand.isEmpty() || arguments.isEmpty() || arguments.getFirst().startsWith("-")) {
            return arguments;
        }
        return Stream.concat(Stream.of(Arguments.name(operand.get())), arguments.stream())
                .toList();
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
