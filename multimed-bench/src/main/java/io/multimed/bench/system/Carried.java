package io.multimed.bench.system;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The contents of a partial Satellite, which the benchmark chooses.
 *
 * @param node its name
 * @param tables in the schema {@code public}; empty: there is none
 * @param indexes statements that create indexes on this Satellite alone
 * @param serves the reads that it takes, as in the configuration
 * @param alone whether it stands in the place of a full Satellite, not beside the full ones
 * @param capture where its changes come from, as in the configuration
 */
public record Carried(
        String node, List<String> tables, List<String> indexes, String serves, boolean alone, String capture) {
    /** No partial Satellite. */
    public static final Carried NOTHING = new Carried("", List.of(), List.of(), "", false);

    public Carried {
        tables = List.copyOf(tables);
        indexes = List.copyOf(indexes);
    }

    /** Makes one whose changes come from the Master's log. */
    public Carried(String node, List<String> tables, List<String> indexes, String serves, boolean alone) {
        this(node, tables, indexes, serves, alone, "log");
    }

    /** Returns the same in the place of a full Satellite. */
    public Carried inPlaceOfOne() {
        return new Carried(node, tables, indexes, serves, true, capture);
    }

    /** Returns the same with triggers that capture its changes. */
    Carried byTriggers() {
        return new Carried(node, tables, indexes, serves, alone, "triggers");
    }

    public boolean nothing() {
        return tables.isEmpty();
    }

    /** Returns how many full Satellites there are beside it, of so many in all where it stands in the place of one. */
    int fullBeside(int satellites) {
        return alone ? Math.max(0, satellites - 1) : satellites;
    }

    /** Returns its part of the configuration. */
    String toml() {
        return nothing()
                ? ""
                : """
                [satellites.%s]
                database = "%s"
                tables = [%s]
                indexes = [%s]
                serves = "%s"
                """.formatted(
                        node,
                        Template.DATABASE,
                        tables.stream().map(table -> "\"public." + table + "\"").collect(Collectors.joining(", ")),
                        indexes.stream().map(index -> "\"" + index + "\"").collect(Collectors.joining(", ")),
                        serves);
    }

    /** Returns it for readers of results. */
    String text() {
        return nothing()
                ? ""
                : " and one with " + String.join(", ", tables)
                        + (indexes.isEmpty() ? "" : ", " + indexes.size() + " indexes of its own")
                        + (serves.equals("all") ? "" : " for " + serves + " reads")
                        + (capture.equals("log") ? "" : ", fed by " + capture);
    }
}
