package io.multimed.engine.embedded.h2;

import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.db.MVTable;
import org.h2.schema.Schema;
import org.h2.schema.UserDefinedFunction;
import org.h2.table.Table;
import org.h2.table.TableSynonym;
import org.h2.table.TableView;
import org.jspecify.annotations.Nullable;

/** The driver's direct access to H2's connections, without statements, because statements may be forbidden and would be counted. */
public final class H2Sessions {
    private H2Sessions() {}

    private static @Nullable SessionLocal session(Connection connection) {
        return connection instanceof JdbcConnection engines && engines.getSession() instanceof SessionLocal local
                ? local
                : null;
    }

    /**
     * Returns the names that a query may use for anything but a stored table: views with their definitions, and routines,
     * synonyms, linked and temporary tables with null. Covers the names of all users.
     *
     * @return null if the engine is not in this process
     */
    public static @Nullable Map<String, @Nullable String> names(Connection connection) {
        SessionLocal session = session(connection);
        if (session == null) {
            return null;
        }
        Map<String, @Nullable String> names = new LinkedHashMap<>();
        Database database = session.getDatabase();
        for (Schema schema : database.getAllSchemasNoMeta()) {
            for (Table table : schema.getAllTablesAndViews(session)) {
                add(names, table);
            }
            for (UserDefinedFunction routine : schema.getAllFunctionsAndAggregates()) {
                names.put(routine.getName(), null);
            }
            for (TableSynonym synonym : schema.getAllSynonyms()) {
                names.put(synonym.getName(), null);
            }
        }
        for (Table table : session.getLocalTempTables()) {
            names.put(table.getName(), null);
        }
        return names;
    }

    private static void add(Map<String, @Nullable String> names, Table table) {
        if (table instanceof TableView view) {
            // A name of two views in different schemas gets null, because both definitions would have to be known.
            String before = names.getOrDefault(view.getName(), "");
            names.put(view.getName(), before == null || !before.isEmpty() ? null : view.getQuerySQL());
        } else if (!(table instanceof MVTable) || table.isTemporary()) {
            names.put(table.getName(), null);
        }
    }

    /** Allows or forbids literals in the connection's statements, where the database forbids them. */
    public static void allowLiterals(Connection connection, boolean allow) {
        SessionLocal session = session(connection);
        if (session != null) {
            session.setAllowLiterals(allow);
        }
    }
}
