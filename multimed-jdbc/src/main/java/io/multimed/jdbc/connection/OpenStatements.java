package io.multimed.jdbc.connection;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** The open statements of a connection, as long as the application refers to them. Any thread. */
final class OpenStatements {
    private final Set<Statement> statements = Collections.newSetFromMap(new WeakHashMap<>());

    synchronized void add(Statement statement) {
        statements.add(statement);
    }

    /** Closes all of them. */
    void close() throws SQLException {
        for (Statement statement : takeAll()) {
            statement.close();
        }
    }

    private synchronized List<Statement> takeAll() {
        List<Statement> open = List.copyOf(statements);
        statements.clear();
        return open;
    }
}
