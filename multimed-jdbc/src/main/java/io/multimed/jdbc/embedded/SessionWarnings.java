package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;

/** The warnings of the engines of a session's nodes, combined as if from one connection. */
final class SessionWarnings {
    private static final System.Logger LOG = System.getLogger("io.multimed.jdbc");

    private final EmbeddedSession runtime;
    private final Dialect dialect;
    /** Warnings of a Satellite's engine that are newer than the Master's. Other threads may read them. */
    private volatile @Nullable SQLWarning elsewhere;

    SessionWarnings(EmbeddedSession runtime, Dialect dialect) {
        this.runtime = runtime;
        this.dialect = dialect;
    }

    /**
     * Takes over a Satellite's warning. HSQLDB keeps the last warning of a connection until it is cleared; here it is the last one
     * of all nodes.
     */
    void heed(Replica read) {
        if (dialect != Dialect.HSQLDB || read.onMaster()) {
            return;
        }
        try {
            SQLWarning there = read.connection().getWarnings();
            if (there != null) {
                read.connection().clearWarnings();
                runtime.master().clearWarnings();
                elsewhere = there;
            }
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "an engine has ended with what it has warned of", e);
        }
    }

    @Nullable
    SQLWarning of(Connection master) throws SQLException {
        SQLWarning there = master.getWarnings();
        return there == null ? elsewhere : there;
    }

    void clear(Connection master) throws SQLException {
        elsewhere = null;
        master.clearWarnings();
    }
}
