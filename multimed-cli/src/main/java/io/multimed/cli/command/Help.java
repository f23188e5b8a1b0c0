package io.multimed.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;

/** The text that {@code help} prints. */
final class Help {
    private static final int WIDTH = 80;

    private record Row(String left, String right) {}

    private Help() {}

    static String of(Program.Texts texts, List<Subcommand> commands, List<Option> options) {
        List<Row> rows = new ArrayList<>();
        commands.forEach(command -> rows.add(new Row(
                "  " + command.name(), command.description().lines().findFirst().orElse(""))));
        rows.add(new Row("  help", "Show this, or the options of a command: multimed help up."));
        return "Usage: " + texts.usage() + "\n" + texts.description() + "\n"
                + table(options.stream().map(Help::row).toList())
                + "Commands:\n"
                + table(rows)
                + "\nAlso: " + texts.also();
    }

    static String of(Subcommand command, List<Option> options) {
        return "Usage: multimed " + command.synopsis() + "\n"
                + command.description()
                        .lines()
                        .flatMap(line -> wrapped(line, WIDTH).stream())
                        .collect(Collectors.joining("\n"))
                + "\n"
                + table(options.stream().map(Help::row).toList()).stripTrailing();
    }

    private static Row row(Option option) {
        return new Row(
                (option.getOpt() == null ? "      " : "  -" + option.getOpt() + ", ")
                        + Arguments.name(option)
                        + (option.hasOptionalArg()
                                ? "[=" + option.getArgName() + "]"
                                : option.hasArg() ? "=" + option.getArgName() : ""),
                option.getDescription());
    }

    private static String table(List<Row> rows) {
        int column =
                2 + rows.stream().mapToInt(row -> row.left().length()).max().orElse(0);
        StringBuilder table = new StringBuilder();
        for (Row row : rows) {
            String left = row.left();
            for (String line : wrapped(row.right(), WIDTH - column)) {
                table.append(left)
                        .append(" ".repeat(column - left.length()))
                        .append(line)
                        .append('\n');
                left = "";
            }
        }
        return table.toString();
    }

    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line);
                line = "";
            }
            line += (line.isEmpty() ? "" : " ") + word;
        }
        lines.add(line);
        return lines;
    }
}
