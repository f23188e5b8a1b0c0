package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** One event loop's connections to one node that are open or being opened: what there is of each kind. */
final class OpenConnections {
    private final Set<BackendConnection> all = new HashSet<>();
    private final Set<BackendConnection> privates = new HashSet<>();
    /** The kinds of those whose engine has not been reached yet. */
    private final List<PoolKey> reaching = new ArrayList<>();

    // --- what becomes of them

    void reaching(PoolKey kind) {
        reaching.add(kind);
    }

    void reached(PoolKey kind) {
        reaching.remove(kind);
    }

    void add(BackendConnection connection) {
        all.add(connection);
    }

    void remove(BackendConnection connection) {
        all.remove(connection);
        privates.remove(connection);
    }

    void madePrivate(BackendConnection connection) {
        privates.add(connection);
    }

    void madeShared(BackendConnection connection) {
        privates.remove(connection);
    }

    // --- what there is

    boolean contains(BackendConnection connection) {
        return all.contains(connection);
    }

    List<BackendConnection> all() {
        return List.copyOf(all);
    }

    int size() {
        return all.size() + reaching.size();
    }

    int privateCount() {
        return privates.size();
    }

    /** Those that are reached and not private. */
    int pooledCount() {
        return all.size() - privates.size();
    }

    /** Of those that are not private, how many yield, or do not. */
    int count(boolean yielding) {
        int count = 0;
        for (PoolKey kind : reaching) {
            count += kind.yielding() == yielding ? 1 : 0;
        }
        for (BackendConnection each : all) {
            count += each.key().yielding() == yielding && !privates.contains(each) ? 1 : 0;
        }
        return count;
    }

    /** How many of this kind are being opened. */
    int comingCount(PoolKey kind) {
        int count = 0;
        for (PoolKey each : reaching) {
            count += each.equals(kind) ? 1 : 0;
        }
        for (BackendConnection each : all) {
            count += !each.isOpen() && each.key().equals(kind) ? 1 : 0;
        }
        return count;
    }

    /** Whether there is one of such a kind that serves whoever comes, sooner or later. */
    boolean anyUsable(Predicate<PoolKey> kind) {
        for (BackendConnection each : all) {
            if (each.isOpen() && !privates.contains(each) && kind.test(each.key())) {
                return true;
            }
        }
        return false;
    }
}
