package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.wire.Lsn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The contents of some tables as write sets make them. It is exact: a change that meets a row which should not be there, or misses one,
 * fails. The first column is the key.
 */
final class TableModel {
    /** By the name of the table and the key. */
    private final Map<String, Map<String, Row>> tables = new TreeMap<>();

    private long position;

    private TableModel() {}

    /** Returns what the Master has at one position of its log: nobody writes to the tables while they are looked at. */
    static TableModel of(Connection master, List<String> names) throws SQLException {
        TableModel model = new TableModel();
        master.setAutoCommit(false);
        try (Statement statement = master.createStatement()) {
            statement.execute("LOCK TABLE " + String.join(", ", names) + " IN SHARE MODE");
            try (ResultSet row = statement.executeQuery("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")) {
                row.next();
                model.position = row.getLong(1);
            }
            for (String name : names) {
                Map<String, Row> rows = new HashMap<>();
                try (ResultSet result = statement.executeQuery("SELECT * FROM " + name)) {
                    int columns = result.getMetaData().getColumnCount();
                    while (result.next()) {
                        List<String> values = new ArrayList<>();
                        for (int column = 1; column <= columns; column++) {
                            values.add(result.getString(column));
                        }
                        rows.put(result.getString(1), Row.of(values.toArray(new String[0])));
                    }
                }
                model.tables.put(name, rows);
            }
            master.rollback();
        } finally {
            master.setAutoCommit(true);
        }
        return model;
    }

    /** Returns the position whose commits the model has. */
    long position() {
        return position;
    }

    boolean carries(QualifiedName table) {
        return tables.containsKey(table.toString());
    }

    /** Takes everything up to a position. */
    void follow(Subscription subscription, long to) throws InterruptedException {
        while (subscription.done() < to) {
            step(subscription, Long.MAX_VALUE, null);
        }
    }

    /** Takes one group; compares with what the Master had at a position, before the first transaction behind it. */
    boolean step(Subscription subscription, long bytes, TableModel expected) throws InterruptedException {
        Subscription.Group group = subscription.take(bytes);
        assertNotNull(group, () -> String.valueOf(subscription.ended()));
        boolean compared = false;
        for (Transaction transaction : group.transactions()) {
            if (expected != null && !compared && transaction.scn() > expected.position) {
                requireSame(expected);
                compared = true;
            }
            apply(transaction);
        }
        if (expected != null && !compared && group.position() >= expected.position) {
            requireSame(expected);
            compared = true;
        }
        subscription.done(group);
        return compared;
    }

    void requireSame(TableModel expected) {
        for (Map.Entry<String, Map<String, Row>> table : tables.entrySet()) {
            Map<String, Row> rows = expected.tables.get(table.getKey());
            Set<String> keys = new TreeSet<>(rows.keySet());
            keys.addAll(table.getValue().keySet());
            List<String> different = keys.stream()
                    .filter(key ->
                            !Objects.equals(rows.get(key), table.getValue().get(key)))
                    .toList();
            assertTrue(
                    different.isEmpty(),
                    () -> table.getKey() + " differs at " + Lsn.format(expected.position) + " in the rows "
                            + different);
        }
    }

    private void apply(Transaction transaction) {
        assertEquals(1, Long.signum(transaction.scn() - position), "the order of commits");
        position = transaction.scn();
        for (Change change : transaction.changes()) {
            switch (change) {
                case Change.Insert insert ->
                    assertNull(rows(insert.relation()).put(insert.row().text(0), insert.row()), "inserted twice");
                case Change.Update update -> {
                    String key = (update.old() == null ? update.row() : update.old()).text(0);
                    Row before = rows(update.relation()).remove(key);
                    assertNotNull(before, "updated without a row");
                    Row after = update.row().over(before);
                    assertNull(rows(update.relation()).put(after.text(0), after), "updated to a row that was there");
                }
                case Change.Delete delete ->
                    assertNotNull(rows(delete.relation()).remove(delete.old().text(0)), "deleted without a row");
                case Change.Truncate truncate ->
                    truncate.relations().forEach(relation -> rows(relation).clear());
            }
        }
    }

    private Map<String, Row> rows(Relation relation) {
        return tables.get(relation.name().toString());
    }
}
