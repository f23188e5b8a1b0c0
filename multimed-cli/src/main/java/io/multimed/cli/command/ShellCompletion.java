package io.multimed.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;

/** Scripts with which shells complete the commands and options of a program. */
final class ShellCompletion {
    private final List<Subcommand> commands;
    private final List<Option> everywhere;

    /** @param everywhere options of every command */
    ShellCompletion(List<Subcommand> commands, List<Option> everywhere) {
        this.commands = commands;
        this.everywhere = everywhere;
    }

    String bash() {
        String names = names();
        StringBuilder script = new StringBuilder("""
                # Completion of multimed for bash.
                _multimed() {
                    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word
                    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                        case $word in
                            -*) ;;
                            *) command=$word; break ;;
                        esac
                    done
                    # Bash splits --dir=DIR at the sign.
                    if [ "$current" = = ]; then current=; fi
                    if [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
                    case $previous in
                """);
        script.append("        ")
                .append(pattern("DIR"))
                .append(") mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); return ;;\n");
        script.append("        ")
                .append(pattern("FILE"))
                .append(") mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return ;;\n");
        script.append("    esac\n    case $command in\n");
        script.append(words("''", names + " " + options(List.of())));
        script.append(words("help", names));
        commands.forEach(command -> script.append(words(command.name(), options(command.options()))));
        return script.append("    esac\n}\ncomplete -o filenames -F _multimed multimed\n")
                .toString();
    }

    private static String words(String pattern, String words) {
        return "        " + pattern + ") mapfile -t COMPREPLY < <(compgen -W '" + words + "' -- \"$current\") ;;\n";
    }

    /** Returns a pattern of all options whose value is a file or directory. */
    private String pattern(String placeholder) {
        return commands.stream()
                .flatMap(command -> command.options().stream())
                .filter(option -> option.hasArg()
                        && List.of(option.getArgName().split("\\|")).contains(placeholder))
                .map(Arguments::name)
                .distinct()
                .collect(Collectors.joining("|"));
    }

    String zsh() {
        StringBuilder script = new StringBuilder("#compdef multimed\n# Completion of multimed for zsh.\n");
        script.append("local -a commands=(\n");
        for (Subcommand command : commands) {
            String summary = command.description().lines().findFirst().orElse("");
            script.append("    '")
                    .append(command.name())
                    .append(':')
                    .append(quoted(summary))
                    .append("'\n");
        }
        script.append("    'help:Show the commands, or the options of one.'\n)\n");
        script.append("if (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n");
        script.append("shift words\n(( CURRENT-- ))\ncase $words[1] in\n    help) _describe command commands ;;\n");
        for (Subcommand command : commands) {
            script.append("    ").append(command.name()).append(") _arguments");
            Stream.concat(command.options().stream(), everywhere.stream())
                    .forEach(option -> script.append(" \\\n        '")
                            .append(specification(option))
                            .append('\''));
            script.append(" ;;\n");
        }
        return script.append("esac\n").toString();
    }

    private static String specification(Option option) {
        String what = "[" + quoted(option.getDescription()) + "]";
        if (!option.hasArg()) {
            return Arguments.name(option) + what;
        }
        String placeholder = option.getArgName();
        List<String> kinds = List.of(placeholder.split("\\|"));
        String action = kinds.contains("FILE")
                ? "_files"
                : kinds.contains("DIR")
                        ? "_files -/"
                        : kinds.size() > 1 && placeholder.equals(placeholder.toLowerCase(Locale.ROOT))
                                ? "(" + String.join(" ", kinds) + ")"
                                : " ";
        return Arguments.name(option) + "=" + what + (option.hasOptionalArg() ? "::" : ":")
                + placeholder.replace(":", "\\:") + ":" + action;
    }

    /** Returns a text for single quotes, brackets and colons of a specification. */
    private static String quoted(String text) {
        return text.replace("'", "'\\''")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace(":", "\\:");
    }

    private String names() {
        return commands.stream().map(Subcommand::name).collect(Collectors.joining(" ")) + " help";
    }

    private String options(List<Option> own) {
        List<Option> all = new ArrayList<>(own);
        all.addAll(everywhere);
        return all.stream().map(Arguments::name).collect(Collectors.joining(" "));
    }
}
