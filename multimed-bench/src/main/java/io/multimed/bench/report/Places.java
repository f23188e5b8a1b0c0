package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Names of places that runs were made at: what tells them from the other runs of their benchmark. Of one report. */
final class Places {
    /** Names in words, in their order. */
    private static final Map<String, String> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put("clients", "clients");
        WORDS.put("heavy clients", "heavy clients");
        WORDS.put("satellites", "Satellites");
        WORDS.put("processors", "processors");
        WORDS.put("ebs", "EBs");
        WORDS.put("items", "items");
        WORDS.put("warehouses", "warehouses");
        WORDS.put("shrink", "th of TPC-C's size");
        WORDS.put("updates, %", "% updates");
    }

    private final Map<String, Set<String>> varying = new LinkedHashMap<>();

    Places(List<Run> runs) {
        Map<String, Set<String>> seen = new LinkedHashMap<>();
        for (Run run : runs) {
            WORDS.keySet()
                    .forEach(name -> seen.computeIfAbsent(run.benchmark() + '\n' + name, any -> new TreeSet<>())
                            .add(run.parameters().getOrDefault(name, "")));
        }
        runs.stream()
                .map(Run::benchmark)
                .distinct()
                .forEach(benchmark -> varying.put(
                        benchmark,
                        WORDS.keySet().stream()
                                .filter(name -> name.equals("clients")
                                        || seen.getOrDefault(benchmark + '\n' + name, Set.of())
                                                        .size()
                                                > 1)
                                .collect(Collectors.toCollection(java.util.LinkedHashSet::new))));
    }

    /** As in {@code 64 clients, 4 heavy clients}. */
    String of(Run run) {
        List<String> parts = new ArrayList<>();
        for (String name : varying.getOrDefault(run.benchmark(), Set.of())) {
            String value = run.parameters().get(name);
            if (value != null) {
                String word = WORDS.getOrDefault(name, name);
                parts.add(value + " " + (value.equals("1") ? word.replaceFirst("s$", "") : word));
            }
        }
        return String.join(", ", parts);
    }

    /** With the benchmark, and the engine where it is one inside a JVM. */
    String whole(Run run) {
        String engine = run.parameters().getOrDefault("engine", "");
        return run.benchmark() + (engine.isEmpty() || engine.equals("postgresql") ? "" : ", " + engine) + ", "
                + of(run);
    }
}
