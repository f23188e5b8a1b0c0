package io.multimed.server.config;

import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.SystemModel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a System Model as TOML. */
public final class SystemModelToml {
    private SystemModelToml() {}

    /** Returns a TOML document; notes come first, as comments. */
    public static String of(SystemModel model) {
        StringBuilder toml = new StringBuilder();
        model.notes().forEach(note -> toml.append("# ").append(note).append('\n'));
        toml.append("machine = ").append(text(model.topology().name())).append('\n');
        toml.append("sharing = ")
                .append(text(model.sharing().name().toLowerCase(Locale.ROOT).replace('_', '-')))
                .append("\nspare_cpus = ")
                .append(text(model.spare().toString()))
                .append("\n\n[middleware]\ncpus = ")
                .append(text(model.middleware().cpus().toString()))
                .append("\nrelay_cpus = ")
                .append(text(model.middleware().relayCpus().toString()))
                .append("\nevent_loops = ")
                .append(model.middleware().eventLoops())
                .append('\n');
        node(toml, model.master());
        model.satellites().forEach(satellite -> node(toml, satellite));
        return toml.toString();
    }

    private static void node(StringBuilder toml, NodePlan node) {
        toml.append("\n[nodes.")
                .append(node.id())
                .append("]\ncpus = ")
                .append(text(node.cpus().toString()));
        if (node.share() < node.cpus().size()) {
            toml.append("\nshare = ").append(node.share());
        }
        if (!node.numaNodes().isEmpty()) {
            toml.append("\nnuma_nodes = ").append(numbers(node.numaNodes()));
        }
        toml.append("\nmemory = ")
                .append(text((node.memoryBytes() >> 20) + "MB"))
                .append("\nstorage = ")
                .append(text(node.storage().name().toLowerCase(Locale.ROOT)))
                .append('\n');
        if (!node.settings().isEmpty()) {
            toml.append("settings = { ")
                    .append(node.settings().entrySet().stream()
                            .map(SystemModelToml::setting)
                            .collect(Collectors.joining(", ")))
                    .append(" }\n");
        }
    }

    private static String setting(Map.Entry<String, String> setting) {
        return text(setting.getKey()) + " = " + text(setting.getValue());
    }

    private static String numbers(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String text(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
