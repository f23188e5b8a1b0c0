package io.multimed.engine.embedded.hsqldb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hsqldb.Database;
import org.hsqldb.NumberSequence;
import org.hsqldb.Table;
import org.hsqldb.TransactionManager;

/**
 * State of a Master that Satellites do not have, kept so that it survives a failure of the Master: its sequence objects, which
 * stay readable in this process, and the definitions of its user triggers.
 *
 * @param sequences by schema and name; those of identity columns by schema and table
 * @param triggers statements that create the triggers
 * @param control transaction mode of the database
 */
record Remains(Map<String, NumberSequence> sequences, List<String> triggers, String control) {
    static Remains of(Database database) {
        return new Remains(sequencesOf(database), List.copyOf(HsqlCatalog.triggers(database)), control(database));
    }

    private static Map<String, NumberSequence> sequencesOf(Database database) {
        Map<String, NumberSequence> sequences = new HashMap<>();
        for (NumberSequence sequence : HsqlCatalog.sequences(database)) {
            sequences.put("sequence " + sequence.getSchemaName().name + "." + sequence.getName().name, sequence);
        }
        for (Table table : HsqlTables.of(database)) {
            NumberSequence identity = Internals.identity(table);
            if (identity != null) {
                sequences.put("table " + HsqlTables.name(table), identity);
            }
        }
        return sequences;
    }

    /** Sets the sequences of another database to the positions of these, so that no value is returned again, committed or not. */
    void resume(Database other) {
        sequencesOf(other).forEach((name, sequence) -> {
            NumberSequence at = sequences.get(name);
            if (at != null) {
                Internals.resume(sequence, at);
            }
        });
    }

    private static String control(Database database) {
        return switch (database.txManager.getTransactionControl()) {
            case TransactionManager.MVCC -> "MVCC";
            case TransactionManager.MVLOCKS -> "MVLOCKS";
            default -> "LOCKS";
        };
    }
}
