package io.multimed.cli.command;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;

/** The page of a program in section 1 of the manual, in man(7) macros, from the texts that {@code help} prints. */
final class ManualPage {
    private final StringBuilder page = new StringBuilder();

    private ManualPage() {}

    /**
     * @param date of the program, as in {@code 2026-03-01}
     * @param more further sections, each a title with paragraphs
     */
    static String of(
            Program.Texts texts,
            List<Subcommand> commands,
            List<Option> options,
            String date,
            List<Program.Section> more) {
        ManualPage manual = new ManualPage();
        manual.line(".TH MULTIMED 1 \"" + date + "\" \"Multimed " + Program.VERSION + "\" \"User Commands\"");
        manual.section("NAME");
        String description = texts.description().replaceFirst("\\.$", "");
        manual.text("multimed - " + description.substring(0, 1).toLowerCase(java.util.Locale.ROOT)
                + description.substring(1));
        manual.section("SYNOPSIS");
        manual.line(".B multimed");
        manual.text(texts.usage().replaceFirst("^multimed ", ""));
        manual.section("OPTIONS");
        options.forEach(manual::option);
        manual.section("COMMANDS");
        commands.forEach(manual::command);
        for (Program.Section section : more) {
            manual.section(section.title());
            manual.text(section.paragraphs().getFirst());
            section.paragraphs().stream().skip(1).forEach(paragraph -> {
                manual.line(".PP");
                manual.text(paragraph);
            });
        }
        return manual.page.toString();
    }

    private void command(Subcommand command) {
        line(".SS " + escaped(command.synopsis()));
        text(command.description().lines().collect(Collectors.joining(" ")));
        command.options().forEach(this::option);
    }

    private void option(Option option) {
        line(".TP");
        String letter = option.getOpt() == null ? "" : "\\fB" + escaped("-" + option.getOpt()) + "\\fR, ";
        String value = option.hasArg() ? "=\\fI" + escaped(option.getArgName()) + "\\fR" : "";
        line(letter + "\\fB" + escaped(Arguments.name(option)) + "\\fR"
                + (option.hasOptionalArg() ? "[" + value + "]" : value));
        text(option.getDescription());
    }

    private void section(String title) {
        line(".SH " + title);
    }

    private void text(String text) {
        line(escaped(text));
    }

    private void line(String line) {
        page.append(line).append('\n');
    }

    private static String escaped(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
