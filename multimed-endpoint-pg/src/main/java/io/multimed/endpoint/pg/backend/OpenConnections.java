package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One event loop's connections to one node that are open or being opened, with counts by kind. */
final class OpenConnections {
    /** The class under which the budget counts a connection. */
    private enum Counted {
        TRANSACTION,
        KEPT,
        NOTHING
    }

    private final Map<BackendConnection, Counted> all = new HashMap<>();
    private final Set<BackendConnection> privates = new HashSet<>();

    private final ParkedConnections parked = new ParkedConnections();
    private final ConnectionBudget budget;
    private int usual;
    /** Kinds of the connections whose engine has not been reached yet. */
    private final List<PoolKey> reaching = new ArrayList<>();
    /** Number of connections that have reached the engine and are neither private nor at rest. */
    int moving;
    /** Whether more are open or being opened than usual, private ones and those at rest not counted. */
    boolean beyondUsual;

    /** @param usual number of connections that may execute side by side */
    OpenConnections(ConnectionBudget budget, int usual) {
        this.budget = budget;
        this.usual = usual;
    }

    // --- changes

    /** Sets the number of connections that may execute side by side. */
    void usual(int number) {
        usual = number;
        recount();
    }

    /** Adds a connection that is going to be opened, for which the budget has been asked. */
    void reaching(PoolKey kind) {
        reaching.add(kind);
        recount();
    }

    /** Records whether the engine was reached; {@code connection} is null if not. */
    void reached(PoolKey kind, @Nullable BackendConnection connection) {
        reaching.remove(kind);
        if (connection != null) {
            all.put(connection, kind.yielding() ? Counted.NOTHING : Counted.TRANSACTION);
            connection.pooled.open = true;
        } else if (!kind.yielding()) {
            budget.give();
        }
        recount();
    }

    /** Records that the connection's process yields from now on. */
    void yields(BackendConnection connection) {
        moves(connection);
        if (all.replace(connection, Counted.TRANSACTION, Counted.NOTHING)) {
            budget.give();
        }
    }

    void remove(BackendConnection connection) {
        connection.pooled.open = false;
        privates.remove(connection);
        parked.remove(connection);
        switch (all.remove(connection)) {
            case TRANSACTION -> budget.give();
            case KEPT -> budget.giveKept();
            case NOTHING -> {}
            case null -> {}
        }
        recount();
    }

    void madePrivate(BackendConnection connection) {
        if (connection.pooled.open) {
            privates.add(connection);
            parked.remove(connection);
            recount();
            if (budget.keep()) {
                all.put(connection, Counted.KEPT);
            }
        }
    }

    void madeShared(BackendConnection connection) {
        privates.remove(connection);
        recount();
        if (all.replace(connection, Counted.KEPT, Counted.TRANSACTION)) {
            budget.keepNoLonger();
        }
    }

    /** Records traffic on a connection that was at rest. */
    void moves(BackendConnection connection) {
        parked.remove(connection);
        recount();
    }

    /** Looks for connections at rest. @return whether there are more than before */
    boolean park(long nowNanos) {
        boolean any = false;
        if (parked.isTimeToLook(nowNanos)) {
            for (BackendConnection each : all.keySet()) {
                any |= !privates.contains(each) && parked.look(each, nowNanos);
            }
            recount();
        }
        return any;
    }

    /** Ends at most {@code most} transactions whose clients have been inactive since {@code nanos}, the longest inactive first. */
    void endIdle(int most, long nanos) {
        parked.idleSince(nanos).stream()
                .limit(most)
                .map(connection -> connection.users.present)
                .forEach(user -> {
                    if (user instanceof BackendWaiter waiter) {
                        waiter.idleForTooLong();
                    }
                });
    }

    /** Updates the numbers that every request needs. */
    private void recount() {
        moving = all.size() - privates.size() - parked.count();
        beyondUsual = countedCount() > usual;
    }

    // --- queries

    List<BackendConnection> all() {
        return List.copyOf(all.keySet());
    }

    /** Returns the kinds of the connections that are open or being opened for clients, one for each. */
    List<PoolKey> clientKinds() {
        List<PoolKey> kinds = new ArrayList<>(reaching);
        for (BackendConnection each : all.keySet()) {
            if (!each.users.areMultimedsOwn()) {
                kinds.add(each.key());
            }
        }
        return kinds;
    }

    /** Returns the number of connections to such databases that are closed once their users have left them. */
    int staleCount(Predicate<String> databases) {
        int count = 0;
        for (BackendConnection each : all.keySet()) {
            count += each.pooled.stale && databases.test(each.key().database()) ? 1 : 0;
        }
        return count;
    }

    /** Returns the process numbers of the backends behind the open connections. */
    List<Integer> processIds() {
        return all.keySet().stream()
                .filter(BackendConnection::isOpen)
                .map(BackendConnection::processId)
                .toList();
    }

    /** Returns the connections in use, the longest held first. */
    List<HeldConnection> held(long nowNanos) {
        List<HeldConnection> held = new ArrayList<>();
        for (BackendConnection each : all.keySet()) {
            BackendUser user = each.users.present;
            if (user != null) {
                held.add(HeldConnection.of(each, user, privates.contains(each), nowNanos));
            }
        }
        held.sort(Comparator.comparingLong(HeldConnection::heldNanos).reversed());
        return held;
    }

    int size() {
        return all.size() + reaching.size();
    }

    /** Returns the number of connections in use but at rest. */
    int restingCount() {
        return parked.count();
    }

    int privateCount() {
        return privates.size();
    }

    /** Returns the number of connections, neither private nor at rest, that yield or do not. */
    int count(boolean yielding) {
        int count = 0;
        for (PoolKey kind : reaching) {
            count += kind.yielding() == yielding ? 1 : 0;
        }
        for (BackendConnection each : all.keySet()) {
            count += each.key().yielding() == yielding && isCounted(each) ? 1 : 0;
        }
        return count;
    }

    private boolean isCounted(BackendConnection connection) {
        return !privates.contains(connection) && !parked.contains(connection);
    }

    /** Returns the number of connections of any kind that are neither private nor at rest. */
    int countedCount() {
        return size() - privates.size() - parked.count();
    }

    /** Returns the number of connections of this kind that are being opened. */
    int comingCount(PoolKey kind) {
        int count = 0;
        for (PoolKey each : reaching) {
            count += each.equals(kind) ? 1 : 0;
        }
        for (BackendConnection each : all.keySet()) {
            count += !each.isOpen() && each.key().equals(kind) ? 1 : 0;
        }
        return count;
    }

    /** Whether there is an open connection of such a kind that is not private, so that it serves any session sooner or later. */
    boolean anyUsable(Predicate<PoolKey> kind) {
        for (BackendConnection each : all.keySet()) {
            if (each.isOpen() && !privates.contains(each) && kind.test(each.key())) {
                return true;
            }
        }
        return false;
    }
}
