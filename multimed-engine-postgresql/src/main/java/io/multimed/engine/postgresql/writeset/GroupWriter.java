package io.multimed.engine.postgresql.writeset;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of a group to the Satellite's engine, within a transaction of its caller: their net effect with few statements, or
 * one by one. One thread.
 */
final class GroupWriter {
    /** Rows of one statement, so that a row costs little besides itself. */
    private static final int MAX_ROWS = 2000;
    /** Number of new rows from which COPY, which takes two round trips more, costs less than a prepared statement. */
    private static final int COPIED_ROWS = 40;
    /** Bytes of one statement, far below what PostgreSQL and the driver can take. */
    private static final long MAX_BYTES = 8L << 20;

    private final Connection engine;
    private final Map<QualifiedName, Set<String>> columns;
    private final Map<Relation, TargetTable> tables = new HashMap<>();
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private long copied;

    /** The changes of one table since the last barrier. */
    private static final class Pending {
        final TargetTable table;
        final @Nullable NetEffect keyed;
        /** Rows without a key: how many more, or fewer, there are of each. */
        final Map<Row, Integer> whole = new LinkedHashMap<>();

        Pending(TargetTable table) {
            this.table = table;
            int[] key = table.key();
            keyed = key == null ? null : new NetEffect(key);
        }
    }

    /** @param columns those that the Satellite has of tables that it carries without some */
    GroupWriter(Connection engine, Map<QualifiedName, Set<String>> columns) {
        this.engine = engine;
        this.columns = columns;
    }

    /** Writes the net effect. */
    void compacted(List<Transaction> transactions) throws SQLException, DivergedException {
        write(transactions, false);
    }

    /** Returns how often rows were written by COPY, for tests. */
    long copied() {
        return copied;
    }

    /** Writes every change by itself, in the order of the Master. */
    void oneByOne(List<Transaction> transactions) throws SQLException, DivergedException {
        write(transactions, true);
    }

    private void write(List<Transaction> transactions, boolean barriers) throws SQLException, DivergedException {
        Map<QualifiedName, Pending> pending = new LinkedHashMap<>();
        for (Transaction transaction : transactions) {
            for (Change change : transaction.changes()) {
                switch (change) {
                    case Change.Insert insert -> insert(of(insert.relation(), pending), insert.row());
                    case Change.Update update -> update(of(update.relation(), pending), update);
                    case Change.Delete delete -> delete(of(delete.relation(), pending), delete.old());
                    case Change.Truncate truncate -> {
                        flush(pending);
                        truncate(truncate);
                    }
                }
                if (barriers) {
                    flush(pending);
                }
            }
        }
        flush(pending);
    }

    private Pending of(Relation relation, Map<QualifiedName, Pending> pending) throws SQLException, DivergedException {
        Pending known = pending.get(relation.name());
        if (known != null && known.table.relation.equals(relation)) {
            return known;
        }
        if (known != null) {
            // The table was altered: rows before and after have other columns.
            flush(pending);
            known = null;
        }
        if (known == null) {
            TargetTable table = tables.get(relation);
            if (table == null) {
                table = TargetTable.read(engine, relation, columns.get(relation.name()));
                tables.put(relation, table);
            }
            known = new Pending(table);
            pending.put(relation.name(), known);
        }
        return known;
    }

    private static void insert(Pending to, Row row) {
        if (to.keyed != null) {
            to.keyed.insert(row);
        } else {
            to.whole.merge(row, 1, Integer::sum);
        }
    }

    private static void update(Pending to, Change.Update update) throws DivergedException {
        Row old = update.old();
        if (to.keyed != null) {
            to.keyed.update(
                    old,
                    old != null && to.table.relation.identity() == 'f'
                            ? update.row().over(old)
                            : update.row());
        } else {
            delete(to, old);
            insert(to, update.row().over(Objects.requireNonNull(old)));
        }
    }

    private static void delete(Pending to, @Nullable Row old) throws DivergedException {
        if (to.keyed != null && old != null) {
            to.keyed.delete(old);
        } else if (old == null || to.table.relation.identity() != 'f') {
            throw new DivergedException("table " + to.table.relation.name() + " has no replica identity");
        } else {
            to.whole.merge(old, -1, Integer::sum);
        }
    }

    private void flush(Map<QualifiedName, Pending> pending) throws SQLException, DivergedException {
        for (Pending table : pending.values()) {
            if (table.keyed != null) {
                flushKeyed(table.table, table.keyed);
            } else {
                flushWhole(table.table, table.whole);
            }
        }
        pending.clear();
    }

    private void flushKeyed(TargetTable table, NetEffect effect) throws SQLException, DivergedException {
        int[] key = Objects.requireNonNull(table.key());
        int[] places = new int[key.length];
        Arrays.setAll(places, i -> i);
        List<Row[]> deleted = new ArrayList<>();
        effect.deleted().forEach(row -> deleted.add(new Row[] {row}));
        if (!deleted.isEmpty()) {
            // A key's row has the columns of the key alone.
            TargetTable.Command command = table.delete();
            run(table, new TargetTable.Command(command.sql(), places, command.delimiters()), key.length, deleted);
        }
        Map<String, List<Row[]>> updates = new LinkedHashMap<>();
        for (NetEffect.Updated updated : effect.updated()) {
            updates.computeIfAbsent(shape(key, updated), shape -> new ArrayList<>())
                    .add(new Row[] {updated.key(), updated.row()});
        }
        for (List<Row[]> alike : updates.values()) {
            Row row = alike.get(0)[1];
            boolean moved = !alike.get(0)[0].equals(row.only(key));
            if (!moved && onlyKey(table, key, row)) {
                continue;
            }
            TargetTable.Command command = table.update(row::isUnchanged, moved);
            int[] columns = command.columns().clone();
            System.arraycopy(places, 0, columns, 0, places.length);
            run(table, new TargetTable.Command(command.sql(), columns, command.delimiters()), key.length, alike);
        }
        List<Row[]> inserted = new ArrayList<>();
        effect.inserted().forEach(row -> inserted.add(new Row[] {row}));
        insert(table, inserted);
    }

    private void insert(TargetTable table, List<Row[]> rows) throws SQLException, DivergedException {
        TargetTable.Command copy = rows.size() < COPIED_ROWS ? null : table.copy();
        if (copy != null) {
            requireAll(table, CopiedRows.write(engine, copy, rows), rows.size());
            copied++;
        } else if (!rows.isEmpty()) {
            run(table, table.insert(), -1, rows);
        }
    }

    /** Whether there is nothing to set: every column is of the key, or unchanged. */
    private static boolean onlyKey(TargetTable table, int[] key, Row row) {
        for (int i = 0; i < row.size(); i++) {
            int at = i;
            if (!row.isUnchanged(i) && table.isWritten(i) && Arrays.stream(key).noneMatch(k -> k == at)) {
                return false;
            }
        }
        return true;
    }

    /** Updates with the same unchanged columns share a statement. */
    private static String shape(int[] key, NetEffect.Updated updated) {
        StringBuilder shape = new StringBuilder();
        shape.append(updated.key().equals(updated.row().only(key)) ? 's' : 'm');
        for (int i = 0; i < updated.row().size(); i++) {
            if (updated.row().isUnchanged(i)) {
                shape.append(i).append(',');
            }
        }
        return shape.toString();
    }

    private void flushWhole(TargetTable table, Map<Row, Integer> rows) throws SQLException, DivergedException {
        List<Row[]> fewer = new ArrayList<>();
        List<Row[]> more = new ArrayList<>();
        rows.forEach((row, count) -> {
            for (int i = 0; i < Math.abs(count); i++) {
                (count < 0 ? fewer : more).add(new Row[] {row});
            }
        });
        if (!fewer.isEmpty()) {
            run(table, table.deleteWhole(), -1, fewer);
        }
        insert(table, more);
    }

    /**
     * Executes a command for rows.
     *
     * @param keys number of parameters that come from the first of two rows; -1 if there is one
     */
    private void run(TargetTable table, TargetTable.Command command, int keys, List<Row[]> rows)
            throws SQLException, DivergedException {
        PreparedStatement statement = statements.get(command.sql());
        if (statement == null) {
            statement = engine.prepareStatement(command.sql());
            statements.put(command.sql(), statement);
        }
        int from = 0;
        while (from < rows.size()) {
            int to = from;
            long bytes = 0;
            while (to < rows.size() && to - from < MAX_ROWS && (to == from || bytes < MAX_BYTES)) {
                Row[] row = rows.get(to);
                bytes += row[row.length - 1].bytes();
                to++;
            }
            for (int parameter = 0; parameter < command.columns().length; parameter++) {
                StringBuilder array = new StringBuilder("{");
                for (Row[] row : rows.subList(from, to)) {
                    if (array.length() > 1) {
                        array.append(command.delimiters().charAt(parameter));
                    }
                    element(array, row[parameter < keys ? 0 : row.length - 1].text(command.columns()[parameter]));
                }
                statement.setString(parameter + 1, array.append('}').toString());
            }
            requireAll(table, statement.executeUpdate(), to - from);
            from = to;
        }
    }

    private static void requireAll(TargetTable table, long written, int rows) throws DivergedException {
        if (written != rows) {
            throw new DivergedException(
                    "table " + table.relation.name() + ": " + written + " rows of " + rows + " were found");
        }
    }

    /** Writes an element of an array as text. */
    static void element(StringBuilder array, @Nullable String text) {
        if (text == null) {
            array.append("NULL");
            return;
        }
        array.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                array.append('\\');
            }
            array.append(c);
        }
        array.append('"');
    }

    private void truncate(Change.Truncate truncate) throws SQLException, DivergedException {
        for (Relation relation : truncate.relations()) {
            if (!tables.containsKey(relation)) {
                tables.put(relation, TargetTable.read(engine, relation, columns.get(relation.name())));
            }
        }
        try (Statement statement = engine.createStatement()) {
            statement.execute("TRUNCATE "
                    + truncate.relations().stream()
                            .map(relation -> "ONLY " + relation.name().quoted())
                            .collect(Collectors.joining(", "))
                    + (truncate.restartIdentity() ? " RESTART IDENTITY" : ""));
        }
    }
}
