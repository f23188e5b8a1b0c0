package io.multimed.engine.postgresql.catalog;

import io.multimed.sql.DatabaseCatalog;
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

    /** @param master a connection to the Master in auto-commit mode, in the database in question */
    public static Schema read(Connection master) throws SQLException {
        master.setAutoCommit(false);
        try (Statement statement = master.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            Schema schema = new Schema(CatalogReader.read(master), TemporaryObjects.read(master));
            master.commit();
            return schema;
        } finally {
            // A connection that has failed is closed by the caller.
            master.setAutoCommit(true);
        }
    }
}
