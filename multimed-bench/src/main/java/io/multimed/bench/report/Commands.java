package io.multimed.bench.report;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Commands that repeat the measurements of given results. They are derived from the results, so they exist for old results,
 * too.
 */
final class Commands {
    private static final String MULTIMED = "multimed";
    private static final Pattern TPCW = Pattern.compile("tpcw (\\w+)(?: without (\\w+))?");
    private static final Pattern ONLY = Pattern.compile("tpcw only (\\w+)");
    private static final Pattern REPLICAS = Pattern.compile("multimed-\\w+-(\\d+)");
    /**
     * Settings of cores that are bound to a part of the machine: for Multimed and the systems compared with it, or for a JVM.
     */
    private static final Pattern BOUND = Pattern.compile("(?!all).* (for engines and middleware|shared by engines).*");

    private static final Pattern PLAIN = Pattern.compile("[\\w.,=/:-]+");

    private Commands() {}

    /** @param point runs under the same conditions, of one system or several */
    static String of(List<Run> point) {
        Run some = point.getFirst();
        Map<String, String> chosen = some.parameters();
        List<String> systems = point.stream().map(Run::system).distinct().toList();
        StringBuilder command = new StringBuilder("./multimed bench ").append(benchmark(some));
        boolean embedded = !chosen.getOrDefault("engine", "postgresql").equals("postgresql");
        if (embedded) {
            add(command, "--engine", chosen.get("engine"));
            add(command, "--replicas", replicas(systems));
        }
        add(command, "--warehouses", chosen.get("warehouses"));
        add(command, "--shrink", unless("1", chosen.get("shrink")));
        add(command, "--ebs", chosen.get("ebs"));
        add(command, "--items", chosen.get("items"));
        add(command, "--clients", chosen.get("clients"));
        if (BOUND.matcher(chosen.getOrDefault("cores", "all")).matches()) {
            add(command, "--cores", chosen.get("processors"));
        }
        if (!embedded) {
            add(command, "--satellites", unless("1", chosen.get("satellites")));
            add(command, "--satellite-settings", settings(chosen.get("satellite settings")));
            add(command, "--against", against(systems));
            add(command, "--pool", systems.contains("pgbouncer") ? unless("20", chosen.get("pool")) : null);
        }
        add(command, "--runs", chosen.get("runs"));
        add(command, "--warmup", warmup(chosen.get("warmup seconds")));
        add(command, "--time", chosen.get("seconds"));
        add(command, "--seed", unless("1", chosen.get("seed")));
        return command.toString();
    }

    private static String benchmark(Run run) {
        Map<String, String> chosen = run.parameters();
        String name = run.benchmark();
        Matcher only = ONLY.matcher(name);
        if (only.matches()) {
            return "tpcw --only " + only.group(1);
        }
        Matcher mix = TPCW.matcher(name);
        if (mix.matches()) {
            return "tpcw --mix " + mix.group(1) + (mix.group(2) == null ? "" : " --without " + mix.group(2));
        }
        if (name.startsWith("tpcc ")) {
            return "tpcc --mix " + name.substring("tpcc ".length());
        }
        return switch (name) {
            case "tpcw load interaction" -> "interaction --heavy " + chosen.get("heavy clients");
            case "tpcw apply beside buying" -> "apply --pause " + chosen.get("pause seconds");
            case "tpcw clone beside buying" -> "clone";
            case "freshness" -> "freshness --updates " + chosen.get("updates, %");
            default -> name;
        };
    }

    /** Returns the numbers of engines behind the driver; the engine alone is always run, too. */
    private static @Nullable String replicas(List<String> systems) {
        return joined(systems.stream()
                .map(REPLICAS::matcher)
                .filter(Matcher::matches)
                .map(name -> Integer.valueOf(name.group(1)))
                .sorted()
                .map(String::valueOf)
                .toList());
    }

    /** Returns the systems to compare with; Multimed itself is always run. */
    private static @Nullable String against(List<String> systems) {
        return joined(
                systems.stream().filter(system -> !system.equals(MULTIMED)).toList());
    }

    private static @Nullable String joined(List<String> texts) {
        return texts.isEmpty() ? null : String.join(",", texts);
    }

    private static @Nullable String unless(String standard, @Nullable String value) {
        return standard.equals(value) ? null : value;
    }

    /** Returns settings in the form of the option, from the text of a map. */
    private static @Nullable String settings(@Nullable String text) {
        return text == null ? null : text.replaceAll("^\\{|}$", "").replace(", ", ",");
    }

    /**
     * Returns the warm-up in the form of the option, from a text such as {@code 10 to 25, until throughput has stopped rising}.
     */
    private static @Nullable String warmup(@Nullable String text) {
        return text == null ? null : text.replaceFirst(",.*", "").replace(" to ", "-");
    }

    private static void add(StringBuilder command, String option, @Nullable String value) {
        if (value != null) {
            command.append(' ')
                    .append(option)
                    .append(' ')
                    .append(PLAIN.matcher(value).matches() ? value : "'" + value + "'");
        }
    }
}
