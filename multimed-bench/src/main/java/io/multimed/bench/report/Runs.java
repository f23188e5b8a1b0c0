package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Choices among runs. */
public final class Runs {
    private Runs() {}

    static List<Run> valid(List<Run> runs) {
        return runs.stream().filter(Run::valid).toList();
    }

    public static List<Run> of(List<Run> runs, String system) {
        return runs.stream().filter(run -> run.system().equals(system)).toList();
    }

    /** Returns runs by what they have in common; groups and runs are in the order in which they came. */
    static <K> Map<K, List<Run>> by(List<Run> runs, Function<Run, K> common) {
        Map<K, List<Run>> groups = new LinkedHashMap<>();
        runs.forEach(run -> groups.computeIfAbsent(common.apply(run), any -> new ArrayList<>())
                .add(run));
        return groups;
    }

    static Map<String, List<Run>> bySystem(List<Run> runs) {
        return by(runs, Run::system);
    }

    /** Returns the figures of valid runs by their names, in their order. */
    static Map<String, Figure> figures(List<Run> runs) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        valid(runs).stream()
                .flatMap(run -> run.figures().stream())
                .forEach(figure -> figures.putIfAbsent(figure.name(), figure));
        return figures;
    }
}
