package io.multimed.engine.postgresql.catalog;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.PartialTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads the schema of one database, and the data to decide later which changes concern it. */
public final class SchemaReader {
    /**
     * A schema as of one snapshot.
     *
     * @param catalog for the classifier
     * @param temporary objects
     */
    public record Schema(DatabaseCatalog catalog, TemporaryObjects temporary) {}

    private SchemaReader() {}

    /**
     * Reads the schema of one database.
     *
     * @param master a connection to the Master in auto-commit mode, in the database in question
     * @param partial the tables of this database that partial Satellites carry
     */
    public static Schema read(Connection master, PartialTables partial) throws SQLException {
        master.setAutoCommit(false);
        try (Statement statement = master.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            Schema schema = new Schema(CatalogReader.read(master, partial), TemporaryObjects.read(master));
            master.commit();
            return schema;
        } finally {
            // A connection that has failed is closed by the caller.
            master.setAutoCommit(true);
        }
    }
}
