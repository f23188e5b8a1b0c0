package io.multimed.bench.load;

import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** The ways to load many rows into a database at once. */
public enum BulkLoad {
    /** PostgreSQL's COPY, a table's rows together. */
    COPY {
        @Override
        public void load(Connection connection, Source source) throws SQLException {
            for (Map.Entry<String, CopyText> rows : texts(source).entrySet()) {
                CopyIn copy = connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY " + rows.getKey() + " FROM STDIN");
                copy.writeToCopy(rows.getValue().bytes(), 0, rows.getValue().length());
                copy.endCopy();
            }
        }
    },
    /** MariaDB's LOAD DATA, a table's rows together. It takes the text of COPY. */
    LOAD_DATA {
        @Override
        public void load(Connection connection, Source source) throws SQLException {
            for (Map.Entry<String, CopyText> rows : texts(source).entrySet()) {
                try (Statement statement = connection.createStatement()) {
                    statement
                            .unwrap(org.mariadb.jdbc.Statement.class)
                            .setLocalInfileInputStream(new ByteArrayInputStream(
                                    rows.getValue().bytes(), 0, rows.getValue().length()));
                    statement.execute(
                            "LOAD DATA LOCAL INFILE 'rows' INTO TABLE " + rows.getKey() + " CHARACTER SET ascii");
                    // What would be an error elsewhere is a warning here.
                    SQLException wrong = statement.getWarnings();
                    if (wrong != null) {
                        throw wrong;
                    }
                }
            }
        }
    },
    /** INSERT in batches, each a transaction. */
    BATCHES {
        @Override
        public void load(Connection connection, Source source) throws SQLException {
            connection.setAutoCommit(false);
            try (Batches batches = new Batches(connection)) {
                source.into(batches);
                batches.send();
            }
        }
    };

    /** Returns the rows of each table. */
    private static Map<String, CopyText> texts(Source source) throws SQLException {
        Map<String, CopyText> tables = new TreeMap<>();
        source.into((table, fields) ->
                tables.computeIfAbsent(table, any -> new CopyText()).row(fields));
        return tables;
    }

    /** A source that hands over all its rows. */
    public interface Source {
        void into(Rows rows) throws SQLException;
    }

    /**
     * @param connection not used by any other thread meanwhile; its auto-commit mode may have changed afterwards
     */
    public abstract void load(Connection connection, Source source) throws SQLException;

    private static final class Batches implements Rows, AutoCloseable {
        private static final int ROWS = 200;

        private final Connection connection;
        private final Map<String, PreparedStatement> statements = new HashMap<>();
        /** Statements with a non-empty batch: HSQLDB refuses to execute an empty one. */
        private final Set<PreparedStatement> filled = new HashSet<>();

        private int gathered;

        Batches(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void row(String table, @Nullable Object... fields) throws SQLException {
            PreparedStatement statement = statements.get(table);
            if (statement == null) {
                statement = connection.prepareStatement("INSERT INTO " + table + " VALUES ("
                        + String.join(", ", Collections.nCopies(fields.length, "?")) + ")");
                statements.put(table, statement);
            }
            for (int i = 0; i < fields.length; i++) {
                statement.setObject(i + 1, fields[i]);
            }
            statement.addBatch();
            filled.add(statement);
            if (++gathered % ROWS == 0) {
                send();
            }
        }

        void send() throws SQLException {
            for (PreparedStatement statement : filled) {
                statement.executeBatch();
            }
            filled.clear();
            connection.commit();
        }

        @Override
        public void close() throws SQLException {
            for (PreparedStatement statement : statements.values()) {
                statement.close();
            }
        }
    }
}
