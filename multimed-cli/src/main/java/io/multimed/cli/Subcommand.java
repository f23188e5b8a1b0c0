package io.multimed.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/**
 * One command of {@code ./multimed}.
 *
 * @param description its first line says it all in the list of commands
 * @param options in the order in which help shows them
 * @param operand the option whose value may stand first, without its name
 */
record Subcommand(String name, String description, List<Option> options, Body body, Optional<Option> operand) {
    Subcommand(String name, String description, List<Option> options, Body body) {
        this(name, description, options, body, Optional.empty());
    }

    /** Arguments in which a first one without a name has got it. */
    List<String> named(List<String> arguments) {
        if (operand.isEmpty() || arguments.isEmpty() || arguments.getFirst().startsWith("-")) {
            return arguments;
        }
        return Stream.concat(Stream.of(Arguments.name(operand.get())), arguments.stream())
                .toList();
    }

    interface Body {
        /**
         * @return the exit status
         * @throws ParseException for a value that its option does not take, before anything is done
         */
        int run(Arguments given) throws Exception;
    }
}
