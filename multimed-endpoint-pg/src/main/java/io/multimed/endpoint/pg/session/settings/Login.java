package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.SilentUser;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Determines the parameters that an engine reports to a client of this kind when it connects. The first client of a kind opens a
 * connection to the Master, so that a wrong database, role or setting is refused with the engine's own error. The Master is also
 * asked for the isolation of blocks that name none, and for the timeouts by which it would end a session or a statement. It cannot
 * apply these timeouts while it does not know of the client's block or statement.
 */
public final class Login extends SilentUser implements BackendWaiter {
    static final String IDLE_TIMEOUT = "idle_in_transaction_session_timeout";
    static final String TRANSACTION_TIMEOUT = "transaction_timeout";
    static final String STATEMENT_TIMEOUT = "statement_timeout";
    public static final String ISOLATION = "default_transaction_isolation";
    private static final Set<String> SETTINGS = Set.of(ISOLATION, IDLE_TIMEOUT, TRANSACTION_TIMEOUT, STATEMENT_TIMEOUT);

    private static final String QUESTION =
            "SELECT name, setting FROM pg_catalog.pg_settings WHERE setting <> '0' AND name IN ('"
                    + String.join("', '", SETTINGS) + "') UNION ALL " + ConnectionLimits.QUESTION;

    private final LoopContext loop;
    private final PoolKey key;
    private final Consumer<Map<String, String>> done;
    private final Consumer<ErrorFields> failed;
    private final MasterPatience patience;
    private boolean over;
    private @Nullable BackendConnection asked;
    private final Residue answer = new Residue(true);

    public Login(LoopContext loop, PoolKey key, Consumer<Map<String, String>> done, Consumer<ErrorFields> failed) {
        this.loop = loop;
        this.key = key;
        this.done = done;
        this.failed = failed;
        this.patience = new MasterPatience(loop, key);
    }

    /** Whether a client is sent the parameter of this name. */
    public static boolean isTold(String name) {
        return !SETTINGS.contains(name) && !ConnectionLimits.NAMES.contains(name);
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
        BackendConnection connection = master().acquire(key, this, 0);
        if (connection != null) {
            acquired(connection);
        }
    }

    /** Ends the login, because the client has gone away. */
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
    public boolean mayUseReserved() {
        return true;
    }

    @Override
    public void acquired(BackendConnection connection) {
        Map<String, String> known = loop.reportedAtLogin(key);
        if (known != null) {
            loggedIn(connection, known);
            return;
        }
        asked = connection;
        connection.insist(BackendSettings.READ_COMMITTED + QUESTION, 0);
    }

    @Override
    public boolean wantsWholeMessages() {
        return true;
    }

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        if (type == Backend.DATA_ROW) {
            answer.row(in, index);
        }
        return false;
    }

    @Override
    public void onReady(byte status) {
        BackendConnection connection = asked;
        asked = null;
        if (connection == null) {
            return;
        }
        Map<String, String> reported = new LinkedHashMap<>(connection.session().parameters());
        reported.putAll(answer.settingsMap());
        loop.rememberLogin(key, reported);
        loggedIn(connection, reported);
    }

    private void loggedIn(BackendConnection connection, Map<String, String> reported) {
        // Released later, since the connection may be given to the next login of the same kind and so on. Otherwise the
        // depth of calls would grow with their number.
        loop.loop().execute(connection::release);
        if (!over) {
            over = true;
            done.accept(reported);
        }
    }

    @Override
    public void onClosed() {
        asked = null;
        notAcquired(null);
    }

    @Override
    public void notAcquired(@Nullable ErrorFields error) {
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
