package io.multimed.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The parameters and settings that all runs share. They are shown once, so that each place shows only its own. */
final class Common {
    private final Map<String, String> parameters;
    private final Map<String, Map<String, String>> settings = new TreeMap<>();

    Common(List<Run> runs) {
        this.parameters = new LinkedHashMap<>(runs.getFirst().parameters());
        runs.forEach(run -> parameters
                .entrySet()
                .removeIf(parameter ->
                        !parameter.getValue().equals(run.parameters().get(parameter.getKey()))));
        for (Run run : runs) {
            run.settings()
                    .forEach((node, own) -> settings.merge(node(run, node), new TreeMap<>(own), (all, other) -> {
                        all.entrySet().removeIf(setting -> !setting.getValue().equals(other.get(setting.getKey())));
                        return all;
                    }));
        }
    }

    private static String node(Run run, String node) {
        return run.system() + ", " + node;
    }

    Map<String, String> parameters() {
        return parameters;
    }

    /** Returns the common settings, by system and node. */
    Map<String, Map<String, String>> settings() {
        return settings;
    }

    Map<String, String> ownParameters(Run run) {
        Map<String, String> own = new LinkedHashMap<>(run.parameters());
        own.keySet().removeAll(parameters.keySet());
        return own;
    }

    /** Returns the settings of a run that are not common, by system and node; none where all are common. */
    Map<String, Map<String, String>> ownSettings(Run run) {
        Map<String, Map<String, String>> all = new TreeMap<>();
        run.settings().forEach((node, values) -> {
            Map<String, String> own = new TreeMap<>(values);
            own.keySet()
                    .removeAll(settings.getOrDefault(node(run, node), Map.of()).keySet());
            if (!own.isEmpty()) {
                all.put(node(run, node), own);
            }
        });
        return all;
    }
}
