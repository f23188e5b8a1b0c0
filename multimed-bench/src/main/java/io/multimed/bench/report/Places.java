package io.multimed.bench.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names of the places of runs: the parameters that distinguish them from the other runs of their benchmark. For one report. */
final class Places {
    /** Parameters and their words. Runs of different lengths, as with another --within, are told apart by their seconds. */
    private static final List<Map.Entry<String, String>> WORDS = List.of(
            Map.entry("clients", "clients"),
            Map.entry("heavy clients", "heavy clients"),
            Map.entry("satellites", "Satellites"),
            Map.entry("processors", "processors"),
            Map.entry("ebs", "EBs"),
            Map.entry("items", "items"),
            Map.entry("warehouses", "warehouses"),
            Map.entry("shrink", "th of TPC-C's size"),
            Map.entry("updates, %", "% updates"),
            Map.entry("unique indexes", "unique indexes"),
            Map.entry("seconds", "s a run"));

    /** Names by conditions. */
    private final Map<String, String> names = new HashMap<>();

    Places(List<Run> runs) {
        Runs.by(runs, Run::benchmark).values().forEach(same -> {
            Set<String> alike = WORDS.stream()
                    .map(Map.Entry::getKey)
                    .filter(name -> !name.equals("clients")
                            && same.stream()
                                            .map(run -> run.parameters().getOrDefault(name, ""))
                                            .distinct()
                                            .count()
                                    == 1)
                    .collect(Collectors.toSet());
            List<Run> points = Sweep.points(same).stream().map(List::getFirst).toList();
            Runs.by(points, run -> benchmark(run) + words(run, alike)).values().forEach(named -> {
                for (Run run : named) {
                    names.put(Sweep.conditions(run), words(run, alike) + apart(run, named));
                }
            });
        });
    }

    /** Distinguishes a run from others by the version, or the first other parameter in which all differ, or else by number. */
    private static String apart(Run run, List<Run> same) {
        if (same.size() == 1) {
            return "";
        }
        if (same.stream().map(Run::version).distinct().count() == same.size()) {
            return ", Multimed " + run.version();
        }
        return run.parameters().keySet().stream()
                .filter(name ->
                        same.stream().map(other -> told(other, name)).distinct().count() == same.size())
                .findFirst()
                .map(name -> ", " + name + ": " + told(run, name))
                .orElse(", otherwise (" + (same.indexOf(run) + 1) + ")");
    }

    /** Returns a parameter's value without the explanation behind a comma. */
    private static String told(Run run, String name) {
        return run.parameters().getOrDefault(name, "").replaceFirst(",.*", "");
    }

    /**
     * Sorts runs by benchmark in order of appearance, then by the numbers of their places; those of a place stay in their
     * order.
     */
    static List<Run> sorted(List<Run> runs) {
        List<String> benchmarks = List.copyOf(Runs.by(runs, Places::benchmark).keySet());
        Comparator<Run> order = Comparator.comparingInt(run -> benchmarks.indexOf(benchmark(run)));
        for (Map.Entry<String, String> word : WORDS) {
            order = order.thenComparing(run -> number(run.parameters().get(word.getKey())));
        }
        return runs.stream().sorted(order).toList();
    }

    private static double number(@Nullable String text) {
        return text != null && text.matches("\\d{1,15}") ? Double.parseDouble(text) : 0;
    }

    /** Returns the place, as in {@code 64 clients, 4 heavy clients}. */
    String of(Run run) {
        return names.getOrDefault(Sweep.conditions(run), "");
    }

    /** Returns the place with the benchmark, and the engine if it is one inside a JVM. */
    String whole(Run run) {
        return benchmark(run) + ", " + of(run);
    }

    /** Returns the place for titles, without some of its parameters and those of every run's length. */
    static String titled(Run run, Set<String> without) {
        Set<String> untitled = new HashSet<>(without);
        untitled.addAll(List.of("seconds", "shrink"));
        return words(run, untitled);
    }

    /** Returns the parameters of a place in words, without some of them. */
    private static String words(Run run, Set<String> without) {
        return WORDS.stream()
                .filter(word ->
                        !without.contains(word.getKey()) && run.parameters().containsKey(word.getKey()))
                .map(word -> {
                    String value = run.parameters().getOrDefault(word.getKey(), "");
                    return value + " " + (value.equals("1") ? word.getValue().replaceFirst("s$", "") : word.getValue());
                })
                .collect(Collectors.joining(", "));
    }

    /** Returns the benchmark as a title, with the engine if it is not PostgreSQL. */
    static String title(Run run) {
        return plainTitle(run) + engine(run);
    }

    /** Returns the benchmark as a title. */
    static String plainTitle(Run run) {
        String name = run.benchmark().replaceFirst("^tpcw ", "TPC-W ").replaceFirst("^tpcc ", "TPC-C ");
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    /** Returns the benchmark, with the engine if it is not PostgreSQL. */
    static String benchmark(Run run) {
        return run.benchmark() + engine(run);
    }

    /** Returns a comma and the engine if it is another server than PostgreSQL; nothing for PostgreSQL and inside a JVM. */
    static String server(Run run) {
        String engine = engine(run);
        return engine.equals(", mariadb") ? engine : "";
    }

    /** Returns a comma and the engine; nothing for PostgreSQL. */
    static String engine(Run run) {
        String engine = run.parameters().getOrDefault("engine", "");
        return engine.isEmpty() || engine.equals("postgresql") ? "" : ", " + engine;
    }
}
