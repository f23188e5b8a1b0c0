package io.multimed.engine.embedded.hsqldb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hsqldb.Database;
import org.hsqldb.NumberSequence;
import org.hsqldb.Table;
import org.hsqldb.TransactionManager;

/**
 * What a Master has that Satellites go without, held so that it outlives a Master that fails: its sequences themselves, which
 * in one process nobody else can take away, and how its user triggers are made.
 *
 * @param sequences by schema and name; those of identity columns by schema and table
 * @param triggers statements
 * @param control the mode of its transactions
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

    /** Puts the sequences of another database where these stand: no value given out comes again, committed or not. */
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
