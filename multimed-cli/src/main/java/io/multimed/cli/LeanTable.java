package io.multimed.cli;

import io.multimed.server.lean.Lean;
import io.multimed.server.lean.LeanRow;
import io.multimed.server.lean.LeanRow.Advice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Indexes and what can be done with them, as a table for people. */
final class LeanTable {
    private static final List<String> HEADINGS =
            List.of("TABLE", "INDEX", "SIZE", "SCANS ON MASTER", "ADVICE", "SATELLITES");

    private static final long KIBI = 1024;

    private LeanTable() {}

    /** Returns the lines, without a line feed after the last. */
    static String of(List<LeanRow> rows) {
        if (rows.isEmpty()) {
            return "The master has no indexes of users' tables.";
        }
        List<List<String>> cells = new ArrayList<>();
        cells.add(HEADINGS);
        rows.forEach(row -> cells.add(cells(row)));
        StringBuilder text = new StringBuilder();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int width = widest(cells, column);
                line.append(String.format(Locale.ROOT, "%-" + width + "s  ", row.get(column)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.append('\n')
                .append(String.join("\n", effects(rows)))
                .toString()
                .stripTrailing();
    }

    private static int widest(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }

    private static List<String> cells(LeanRow row) {
        boolean onMaster = row.advice() != Advice.MOVED;
        return List.of(
                row.database() + ": " + row.table(),
                row.index(),
                onMaster ? size(row.bytes()) : "-",
                onMaster ? Long.toString(row.scans()) : "-",
                word(row.advice()) + (row.because().isEmpty() ? "" : ": " + row.because()),
                row.satellites().isEmpty() ? "-" : String.join(", ", row.satellites()));
    }

    private static String word(Advice advice) {
        return switch (advice) {
            case MOVED -> "moved";
            case INTERRUPTED -> "interrupted";
            case MOVE -> "move";
            case ASK -> "move if you know better";
            case NOWHERE -> "stays";
            case STAYS -> "stays";
            case INVALID -> "invalid";
        };
    }

    private static String size(long bytes) {
        return bytes < KIBI * KIBI ? bytes / KIBI + " kB" : bytes / KIBI / KIBI + " MB";
    }

    /** Returns what moving the proposed indexes does to each table, and what would make more possible. */
    private static List<String> effects(List<LeanRow> rows) {
        Map<String, List<LeanRow>> tables = new LinkedHashMap<>();
        for (LeanRow row : rows) {
            if (row.advice() != Advice.MOVED) {
                tables.computeIfAbsent(row.database() + ": " + row.table(), table -> new ArrayList<>())
                        .add(row);
            }
        }
        List<String> lines = new ArrayList<>();
        tables.forEach((table, indexes) -> {
            long moved = count(indexes, Advice.MOVE);
            if (moved > 0) {
                lines.add(table + ": a row that is written changes " + indexes.size() + " indexes on the master, "
                        + (indexes.size() - moved) + " after --apply; rows written so far: "
                        + indexes.getFirst().writes());
            }
            if (count(indexes, Advice.NOWHERE) > 0) {
                lines.add(table + ": to have a partial satellite carry it, "
                        + Lean.howToCarry(indexes.getFirst().table()));
            }
        });
        return lines;
    }

    private static long count(List<LeanRow> rows, Advice advice) {
        return rows.stream().filter(row -> row.advice() == advice).count();
    }
}
