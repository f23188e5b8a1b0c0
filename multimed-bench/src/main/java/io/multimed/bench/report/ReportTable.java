package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rows of text, each of as many cells. The one form of all tables: as aligned text, as comma-separated values, on the page.
 *
 * @param rows the first one names the columns
 */
public record ReportTable(List<List<String>> rows) {
    public ReportTable {
        rows = List.copyOf(rows);
    }

    /** Collects rows behind their head. */
    static final class Builder {
        private final List<List<String>> rows = new ArrayList<>();

        Builder(Stream<String> head) {
            row(head);
        }

        Builder row(Stream<String> cells) {
            rows.add(cells.toList());
            return this;
        }

        ReportTable table() {
            return new ReportTable(rows);
        }
    }

    boolean isEmpty() {
        return rows.size() < 2;
    }

    /** Returns aligned lines: the first column to the left, the others to the right; nothing without rows. */
    String text() {
        return text(0);
    }

    /** @param texts number of columns at the end that are aligned to the left, too */
    String text(int texts) {
        if (isEmpty()) {
            return "";
        }
        int columns = rows.getFirst().size();
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                int column = i;
                int width = rows.stream()
                        .mapToInt(each -> each.get(column).length())
                        .max()
                        .orElse(0);
                String padding = " ".repeat(width - row.get(i).length());
                boolean left = i == 0 || i >= columns - texts;
                line.append(i == 0 ? "" : "  ").append(left ? row.get(i) + padding : padding + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** Returns lines of fields, quoted where necessary (RFC 4180). */
    String csv() {
        return rows.stream()
                .map(row -> row.stream().map(ReportTable::field).collect(Collectors.joining(",")) + "\n")
                .collect(Collectors.joining());
    }

    private static String field(String text) {
        return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Returns formatted numbers; a dash if one of them is missing (NaN). */
    static String format(String form, Object... values) {
        for (Object value : values) {
            if (value instanceof Double number && number.isNaN()) {
                return "-";
            }
        }
        return String.format(Locale.ROOT, form, values);
    }
}
