package io.multimed.bench.report;

import java.util.List;
import java.util.Map;

/** A colour for each system, the same in every chart of every report. People with colour blindness can tell them apart. */
final class Colours {
    private static final String GREY = "#7f7f7f";
    private static final String OTHER = "#000000";

    private static final Map<String, String> SYSTEMS = Map.ofEntries(
            Map.entry("multimed", "#d55e00"),
            Map.entry("multimed-c2", "#7a0177"),
            Map.entry("multimed-c2-triggers", "#c51b8a"),
            Map.entry("standalone", GREY),
            Map.entry("standalone-tuned", "#0072b2"),
            Map.entry("standalone-undurable", "#56b4e9"),
            Map.entry("pgbouncer", "#cc79a7"),
            Map.entry("pgpool", "#8c6d1f"),
            Map.entry("pgpool-si", "#5d4a9c"),
            Map.entry("multimed-c0", "#e69f00"),
            Map.entry("multimed-session", "#009e73"),
            Map.entry("multimed-eventual", "#56b4e9"),
            Map.entry("multimed-uncoalesced", "#882255"),
            Map.entry("h2", GREY),
            Map.entry("hsqldb", GREY));

    /** From light to dark with the number of engines. */
    private static final List<String> REPLICAS =
            List.of("#fdbe85", "#f9a35c", "#f2853a", "#e3661a", "#c74f0a", "#a63f05", "#853004");

    private Colours() {}

    static String of(String system) {
        String known = SYSTEMS.get(system);
        if (known != null) {
            return known;
        }
        String number = system.replaceAll(".*-(\\d{1,3})$", "$1");
        return number.equals(system) ? OTHER : REPLICAS.get(Math.min(Integer.parseInt(number), REPLICAS.size()) - 1);
    }
}
