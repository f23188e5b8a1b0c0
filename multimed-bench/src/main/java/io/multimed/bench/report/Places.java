package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names of the places of runs: the parameters that distinguish them from the other runs of their benchmark. For one report. */
final class Places {
    /** Parameters in words, in their order. */
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
        // Runs of different lengths, as with another --within.
        WORDS.put("seconds", "s a run");
    }

    private final Map<String, Set<String>> varying = new LinkedHashMap<>();
    /** Suffixes by conditions, where words alone do not distinguish places. */
    private final Map<String, String> apart = new HashMap<>();

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
        Map<String, List<Run>> named = new LinkedHashMap<>();
        Sweep.points(runs)
                .forEach(point -> named.computeIfAbsent(name(point.getFirst()), any -> new ArrayList<>())
                        .add(point.getFirst()));
        named.values().stream().filter(same -> same.size() > 1).forEach(this::tellApart);
    }

    /** Distinguishes runs by the version of Multimed, or the first other parameter in which they differ, or else by number. */
    private void tellApart(List<Run> same) {
        if (same.stream().map(Run::version).distinct().count() == same.size()) {
            same.forEach(run -> apart.put(Sweep.conditions(run), ", Multimed " + run.version()));
            return;
        }
        String differs = same.getFirst().parameters().keySet().stream()
                .filter(name ->
                        same.stream().map(run -> told(run, name)).distinct().count() == same.size())
                .findFirst()
                .orElse("");
        for (int i = 0; i < same.size(); i++) {
            Run run = same.get(i);
            apart.put(
                    Sweep.conditions(run),
                    differs.isEmpty() ? ", otherwise (" + (i + 1) + ")" : ", " + differs + ": " + told(run, differs));
        }
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
        List<String> benchmarks =
                runs.stream().map(run -> benchmark(run)).distinct().toList();
        Comparator<Run> order = Comparator.comparingInt(run -> benchmarks.indexOf(benchmark(run)));
        for (String name : WORDS.keySet()) {
            order = order.thenComparing(run -> number(run.parameters().get(name)));
        }
        return runs.stream().sorted(order).toList();
    }

    private static double number(@Nullable String text) {
        return text != null && text.matches("\\d{1,15}") ? Double.parseDouble(text) : 0;
    }

    /** Returns the place, as in {@code 64 clients, 4 heavy clients}. */
    String of(Run run) {
        return parts(run) + apart.getOrDefault(Sweep.conditions(run), "");
    }

    private String parts(Run run) {
        List<String> parts = new ArrayList<>();
        for (String name : varying.getOrDefault(run.benchmark(), Set.of())) {
            String value = run.parameters().get(name);
            if (value != null) {
                parts.add(word(name, value));
            }
        }
        return String.join(", ", parts);
    }

    /** Returns the place with the benchmark, and the engine if it is one inside a JVM. */
    String whole(Run run) {
        return benchmark(run) + ", " + of(run);
    }

    /** Returns numbers of the place in words, without some parameters and those of every run's length. */
    static String words(Run run, Set<String> without) {
        return WORDS.keySet().stream()
                .filter(name -> !name.equals("seconds") && !name.equals("shrink") && !without.contains(name))
                .filter(name -> run.parameters().containsKey(name))
                .map(name -> word(name, run.parameters().getOrDefault(name, "")))
                .collect(Collectors.joining(", "));
    }

    private static String word(String name, String value) {
        String word = WORDS.getOrDefault(name, name);
        return value + " " + (value.equals("1") ? word.replaceFirst("s$", "") : word);
    }

    /** Returns the benchmark as a title, with the engine if it is one inside a JVM. */
    static String title(Run run) {
        return plainTitle(run) + engine(run);
    }

    /** Returns the benchmark as a title. */
    static String plainTitle(Run run) {
        return switch (run.benchmark()) {
            case String name when name.startsWith("tpcw ") -> "TPC-W " + name.substring("tpcw ".length());
            case String name when name.startsWith("tpcc ") -> "TPC-C " + name.substring("tpcc ".length());
            case String name -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        };
    }

    private String name(Run run) {
        return benchmark(run) + ", " + parts(run);
    }

    /** Returns the benchmark, with the engine if it is one inside a JVM. */
    static String benchmark(Run run) {
        return run.benchmark() + engine(run);
    }

    private static String engine(Run run) {
        String engine = run.parameters().getOrDefault("engine", "");
        return engine.isEmpty() || engine.equals("postgresql") ? "" : ", " + engine;
    }
}
