package io.multimed.server.master;

import io.multimed.engine.postgresql.catalog.TransactionSnapshot;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The newest transactions that changed a catalog and may not be visible to the Master's sessions yet. Thread-safe. */
final class UnseenChanges {
    private final Set<Long> transactions = ConcurrentHashMap.newKeySet();

    void add(long transaction) {
        transactions.add(transaction);
    }

    void clear() {
        transactions.clear();
    }

    boolean contains(long transaction) {
        return transactions.contains(transaction);
    }

    /** Whether all of them are visible in snapshots taken from now on. Asks the Master if there are any. */
    boolean areVisible(Connection master) throws SQLException {
        if (transactions.isEmpty()) {
            return true;
        }
        try (Statement statement = master.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_catalog.pg_current_snapshot()::text")) {
            rows.next();
            TransactionSnapshot snapshot = TransactionSnapshot.parse(rows.getString(1));
            transactions.removeIf(snapshot::test);
        }
        return transactions.isEmpty();
    }
}
