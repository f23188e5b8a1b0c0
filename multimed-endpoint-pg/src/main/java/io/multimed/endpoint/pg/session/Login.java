package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.SilentUser;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what the engine tells a client of this kind when it connects: the first of its kind opens a connection to
 * the Master, so that a wrong database, role or setting is refused in the engine's own words.
 */
public final class Login extends SilentUser implements BackendWaiter {
    private static final int RETRY_MILLIS = 50;

    private final LoopContext loop;
    private final PoolKey key;
    private final Consumer<Map<String, String>> done;
    private final Consumer<ErrorFields> failed;
    private final long began;
    private boolean over;

    public Login(LoopContext loop, PoolKey key, Consumer<Map<String, String>> done, Consumer<ErrorFields> failed) {
        this.loop = loop;
        this.key = key;
        this.done = done;
        this.failed = failed;
        this.began = loop.nanoTime();
    }

    public void start() {
        if (over) {
            return;
        }
        Map<String, String> known = loop.reportedAtLogin(key);
        if (known != null) {
            over = true;
            done.accept(known);
            return;
        }
        BackendConnection connection = master().acquire(key, this);
        if (connection != null) {
            acquired(connection);
        }
    }

    /** The client has gone away. */
    public void abandon() {
        if (!over) {
            over = true;
            master().forget(this);
        }
    }

    private NodeBackends master() {
        return loop.backends().of(loop.nodes().master());
    }

    @Override
    public int clientProcessId() {
        return 0;
    }

    @Override
    public void acquired(BackendConnection connection) {
        over = true;
        Map<String, String> reported = connection.parameters();
        loop.rememberLogin(key, reported);
        // Later, since it may be given to the next of the same kind, and so on: no depth of calls grows with their
        // number.
        loop.loop().execute(connection::release);
        done.accept(reported);
    }

    @Override
    public void notAcquired(@Nullable ErrorFields error) {
        if (over) {
            return;
        }
        boolean passing = error == null || error.sqlState().equals(SqlState.CANNOT_CONNECT_NOW);
        if (passing
                && loop.nanoTime() - began < loop.options().timeouts().master().toNanos()) {
            loop.loop().schedule(this::start, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        over = true;
        failed.accept(
                error != null
                        ? error
                        : ErrorFields.fatal(SqlState.CANNOT_CONNECT_NOW, "the master is not available now"));
    }
}
