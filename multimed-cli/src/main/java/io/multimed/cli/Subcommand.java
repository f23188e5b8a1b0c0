package io.multimed.cli;

import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/**
 * One command of {@code ./multimed}.
 *
 * @param description its first line says it all in the list of commands
 * @param options in the order in which help shows them
 */
record Subcommand(String name, String description, List<Option> options, Body body) {
    interface Body {
        /**
         * @return the exit status
         * @throws ParseException for a value that its option does not take, before anything is done
         */
        int run(Arguments given) throws Exception;
    }
}
