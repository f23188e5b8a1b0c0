package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.ReplicationConnection;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.settings.MasterPatience;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens a replication client's connection to the Master, which decides whether the role may have one. A Master that is not available is asked
 * again for a while, as for other clients; while all databases are paused nobody is asked.
 */
final class ReplicationLogin implements ReplicationConnection.Waiter {
    /**
     * The number of replication clients. Under Multimed the Master has room for ten (max_wal_senders). The relay needs one, and another one
     * if it connects again before the Master has noticed the end of the first.
     */
    static final int MOST = 8;

    private final LoopContext loop;
    private final PoolKey key;
    private final Consumer<ReplicationConnection> done;
    private final Consumer<ErrorFields> failed;
    private final MasterPatience patience;
    private @Nullable ReplicationConnection opening;
    private boolean over;

    ReplicationLogin(
            LoopContext loop, PoolKey key, Consumer<ReplicationConnection> done, Consumer<ErrorFields> failed) {
        this.loop = loop;
        this.key = key;
        this.done = done;
        this.failed = failed;
        this.patience = new MasterPatience(loop, key);
    }

    /** The refusal of one client more than {@link #MOST}, as PostgreSQL words it. */
    static ErrorFields tooMany() {
        return ErrorFields.fatal(
                SqlState.TOO_MANY_CONNECTIONS,
                "number of requested standby connections exceeds max_wal_senders (currently " + MOST + ")");
    }

    void start() {
        if (over) {
            return;
        }
        NodeBackends master = loop.backends().of(loop.nodes().master());
        if (loop.backends().isPaused(key.database())) {
            patience.later(this::start);
        } else {
            opening = ReplicationConnection.open(master, key, this);
        }
    }

    /** Ends the login, because the client has gone away. */
    void abandon() {
        over = true;
        ReplicationConnection begun = opening;
        if (begun != null) {
            begun.close();
        }
    }

    @Override
    public void opened(ReplicationConnection connection) {
        over = true;
        done.accept(connection);
    }

    @Override
    public void refused(@Nullable ErrorFields error) {
        if (over) {
            return;
        }
        if (patience.lastsAfter(error)) {
            patience.later(this::start);
            return;
        }
        over = true;
        failed.accept(MasterPatience.refusal(error));
    }
}
