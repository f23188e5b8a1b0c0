package io.multimed.engine.embedded.h2;

import java.sql.SQLException;
import java.sql.Statement;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.schema.Schema;
import org.h2.schema.Sequence;
import org.h2.schema.TriggerObject;
import org.h2.table.Column;
import org.h2.table.Table;
import org.jspecify.annotations.Nullable;

/** Gives a Satellite everything that the failed Master had and a Satellite lacks: triggers, settings, positions of keys and sequences. */
final class H2Promotion {
    private final Database old;
    private final Database database;
    private final SessionLocal session;

    /**
     * Creates the promotion of a Satellite.
     *
     * @param old the failed Master's database, whose remains are read
     * @param database the Satellite's, which must be writable
     * @param session the session that writes there, locked by the caller
     */
    H2Promotion(Database old, Database database, SessionLocal session) {
        this.old = old;
        this.database = database;
        this.session = session;
    }

    /** @param connection the connection of the session */
    void execute(JdbcConnection connection) throws SQLException {
        resumeKeys();
        resumeSequences();
        try (Statement statement = connection.createStatement()) {
            for (Schema schema : old.getAllSchemasNoMeta()) {
                for (TriggerObject trigger : schema.getAllTriggers()) {
                    statement.execute(trigger.getCreateSQL());
                }
            }
            statement.execute("SET MAX_LENGTH_INPLACE_LOB " + old.getMaxLengthInplaceLob());
            statement.execute("SET DB_CLOSE_DELAY " + H2Master.closeDelay(old));
        }
    }

    /** Makes H2 continue row keys after the last one. H2 does not notice the keys of rows that are inserted in place. */
    private void resumeKeys() {
        for (Schema schema : database.getAllSchemasNoMeta()) {
            for (Table table : schema.getAllTablesAndViews(session)) {
                H2SatelliteTable stored = H2SatelliteTable.of(table, 0);
                if (stored != null) {
                    stored.resumeKeys(session);
                }
            }
        }
    }

    /**
     * Continues sequences at the failed Master's positions. So no value that it
     * returned is returned again, committed or not. The sequences of identity columns have different names in each database.
     */
    private void resumeSequences() {
        for (Schema schema : database.getAllSchemasNoMeta()) {
            Schema before = old.findSchema(schema.getName());
            if (before == null) {
                continue;
            }
            for (Sequence sequence : schema.getAllSequences()) {
                resume(sequence, before.findSequence(sequence.getName()));
            }
            for (Table table : schema.getAllTablesAndViews(null)) {
                Table source = before.findTableOrView(null, table.getName());
                for (Column column : table.getColumns()) {
                    if (column.getSequence() != null && source != null) {
                        resume(
                                column.getSequence(),
                                source.getColumn(column.getName()).getSequence());
                    }
                }
            }
        }
    }

    private static void resume(Sequence sequence, @Nullable Sequence at) {
        if (at != null) {
            sequence.modify(at.getBaseValue(), at.getStartValue(), null, null, null, at.getCycle(), null);
        }
    }
}
