package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.config.ClientLimits;
import io.multimed.endpoint.pg.config.ClientLimits.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that hold a connection to an engine, or are about to, counted for the roles and databases for which their number is
 * limited. Any thread.
 */
public final class ConnectionTurns {
    private final ConcurrentHashMap<String, AtomicInteger> ofRoles = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, AtomicInteger> ofDatabases = new ConcurrentHashMap<>();

    /**
     * Returns the share of a session that begins; null if no number is limited for it.
     *
     * @param limits those in effect when it asks for its turn
     */
    public @Nullable ConnectionTurn of(PoolKey key, Supplier<ClientLimits> limits) {
        return isLimited(Limit.MAX_USER_CONNECTIONS, key, limits.get())
                        || isLimited(Limit.MAX_DB_CONNECTIONS, key, limits.get())
                ? new Counted(
                        key,
                        limits,
                        ofRoles.computeIfAbsent(key.user(), name -> new AtomicInteger()),
                        ofDatabases.computeIfAbsent(key.database(), name -> new AtomicInteger()))
                : null;
    }

    private static boolean isLimited(Limit limit, PoolKey key, ClientLimits limits) {
        return limits.of(limit, key.user(), key.database()) > 0;
    }

    /** The share of a session whose role or database is limited. */
    private static final class Counted implements ConnectionTurn {
        private final PoolKey key;
        private final Supplier<ClientLimits> limits;
        private final AtomicInteger ofRole;
        private final AtomicInteger ofDatabase;
        private boolean held;

        Counted(PoolKey key, Supplier<ClientLimits> limits, AtomicInteger ofRole, AtomicInteger ofDatabase) {
            this.key = key;
            this.limits = limits;
            this.ofRole = ofRole;
            this.ofDatabase = ofDatabase;
        }

        @Override
        public boolean take() {
            if (held) {
                return true;
            }
            if (!enter(ofRole, Limit.MAX_USER_CONNECTIONS)) {
                return false;
            }
            if (!enter(ofDatabase, Limit.MAX_DB_CONNECTIONS)) {
                ofRole.decrementAndGet();
                return false;
            }
            held = true;
            return true;
        }

        private boolean enter(AtomicInteger count, Limit limit) {
            long most = limits.get().of(limit, key.user(), key.database());
            if (count.incrementAndGet() <= most || most == 0) {
                return true;
            }
            count.decrementAndGet();
            return false;
        }

        @Override
        public void giveBack() {
            if (held) {
                held = false;
                ofRole.decrementAndGet();
                ofDatabase.decrementAndGet();
            }
        }
    }
}
