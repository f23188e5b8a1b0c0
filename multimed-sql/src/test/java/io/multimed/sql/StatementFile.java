package io.multimed.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Statements and their expected classifications, from a file beside this class. A statement may take several lines; its last one
 * ends with {@code --> expectation}. Lines that begin with {@code #} in front of a statement are comments.
 */
final class StatementFile {
    private StatementFile() {}

    record Case(int line, String sql, String expected) {
        @Override
        public String toString() {
            String short80 = sql.replaceAll("\\s+", " ");
            return line + ": " + (short80.length() > 80 ? short80.substring(0, 80) + "…" : short80);
        }
    }

    static List<Case> read(String resource) {
        String text;
        try (InputStream in = Objects.requireNonNull(StatementFile.class.getResourceAsStream(resource), resource)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        List<Case> cases = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            if (sql.isEmpty() && (line.isBlank() || line.startsWith("#"))) {
                continue;
            }
            int arrow = line.lastIndexOf("-->");
            if (arrow < 0) {
                sql.append(line).append('\n');
            } else {
                sql.append(line, 0, arrow);
                cases.add(new Case(
                        number,
                        sql.toString().strip(),
                        line.substring(arrow + 3).strip()));
                sql.setLength(0);
            }
        }
        if (!sql.toString().isBlank()) {
            throw new AssertionError(resource + " ends within a statement: " + sql);
        }
        return cases;
    }
}
