package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.jdbc.sql.Dialect;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * H2's permission for literals, which a database may forbid. The connection has it while it runs the driver's own answer to a
 * statement for Multimed itself.
 */
final class LiteralPermission {
    private final Dialect dialect;
    /** Whether the running statement is such an answer. */
    private boolean answers;

    private @Nullable Connection permitted;

    LiteralPermission(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Sets whether the following statements are the driver's own. */
    void answers(boolean itself) {
        answers = itself && dialect == Dialect.H2;
        if (permitted != null && !answers) {
            EmbeddedDatabases.allowLiterals(permitted, false);
            permitted = null;
        }
    }

    /** Called with the connection on which a statement is about to run. */
    void entered(Connection connection) {
        if (answers) {
            permitted = connection;
            EmbeddedDatabases.allowLiterals(connection, true);
        }
    }
}
