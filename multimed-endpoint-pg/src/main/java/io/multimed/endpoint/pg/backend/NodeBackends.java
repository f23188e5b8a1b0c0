package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's connections to one node, and the sessions that get them.
 *
 * <p>At most as many are open as there is {@link PoolRoom}; sessions queue for them in order of arrival. A connection serves the next
 * waiter of its own kind. A waiter of another kind that has waited for long gets a connection opened in its place. Short reads follow
 * each other on {@link SharedConnections}; long ones wait in a {@link LongReadQueue}.
 *
 * <p>It has more lines than other classes, since it is the one object that sessions, connections and administrators call; what
 * they ask for is done by the pool's parts.
 */
public final class NodeBackends {
    final ComputationalNode node;
    final LoopBackends loop;
    private final int sideBySide;
    private final ConnectionBudget budget;
    private final IdleConnections idle = new IdleConnections();
    private final ConnectionQueue waiters;
    final SharedConnections shared;
    final LongReadQueue longReads;
    final WaitingRequests waiting;
    final OpenConnections connections;
    final PoolRoom room;
    final ConnectionOpener opener;

    NodeBackends(
            ComputationalNode node, LoopBackends loop, EngineConnector connector, int limit, ConnectionBudget budget) {
        this.node = node;
        this.loop = loop;
        this.budget = budget;
        sideBySide = loop.sharing().connections();
        PoolBounds bounds = PoolBounds.of(limit, sideBySide);
        connections = new OpenConnections(budget, bounds.usual());
        waiters = new ConnectionQueue(loop::nanoTime);
        shared = new SharedConnections(loop.sharing(), waiters, loop::watchFollowers);
        longReads = new LongReadQueue(sideBySide, this::othersRun, loop::nanoTime);
        waiting = new WaitingRequests(node, waiters, shared, longReads);
        room = new PoolRoom(bounds, budget, connections, idle, shared, loop::nanoTime);
        opener = new ConnectionOpener(this, connector, connections, waiters, room);
    }

    public ComputationalNode node() {
        return node;
    }

    /** Returns the number of connections that are neither idle nor at rest. */
    private int busyCount() {
        return connections.moving - idle.count();
    }

    /** Whether short reads use connections now. */
    private boolean othersRun() {
        return busyCount() > longReads.runningCount();
    }

    // --- requests

    /**
     * Requests a connection.
     *
     * @param expectedNanos processor time that the unit is expected to use, in nanoseconds; 0 if it is expected to be short
     * @return one that was idle, or one on which the waiter {@link BackendWaiter#mayFollow}; null if {@code waiter} will be
     *     notified later
     */
    public @Nullable BackendConnection acquire(PoolKey key, BackendWaiter waiter, long expectedNanos) {
        if (loop.anyPaused && isPaused(key, waiter)) {
            waiting.pause(new ConnectionRequest(key, waiter, loop.nanoTime(), expectedNanos));
            return null;
        }
        if (expectedNanos > 0 && node.role() == Role.SATELLITE) {
            ConnectionRequest request = new ConnectionRequest(key, waiter, loop.nanoTime(), expectedNanos);
            return longReads.enter(request) ? takeForLong(request) : await();
        }
        ConnectionRequest request = new ConnectionRequest(key, waiter, loop.nanoTime(), 0);
        if (busyCount() >= sideBySide && waiters.firstInLineFor(key) == null) {
            BackendConnection used = shared.follow(request);
            if (used != null) {
                return used;
            }
            if (shared.await(request)) {
                return await();
            }
        }
        return take(request, request.sinceNanos());
    }

    /** Whether the waiter is given no connection until the database is resumed. */
    private boolean isPaused(PoolKey key, BackendWaiter waiter) {
        return loop.paused.covers(key.database()) && !waiter.isMultimedsOwn();
    }

    /** Notes that a request waits. @return null */
    private @Nullable BackendConnection await() {
        waiting.any = true;
        loop.watchFollowers();
        return null;
    }

    /** Whether a connection is being opened for the waiter, so that no other session keeps it waiting. */
    public boolean isOpeningFor(BackendWaiter waiter) {
        ConnectionRequest request = waiters.of(waiter);
        return request != null && !opener.isLacking(request.key());
    }

    /** Takes an idle connection. @return null if the request waits for one now */
    private @Nullable BackendConnection take(ConnectionRequest request, long nowNanos) {
        BackendConnection connection = room.isFull(request.key()) ? null : idle.take(request);
        if (connection != null) {
            connection.assign(request.waiter(), nowNanos, request.expectedNanos() > 0);
            return connection;
        }
        waiters.add(request);
        await();
        if (opener.makeRoomFor(request.key())) {
            opener.open(request.key());
        } else if (connections.park(nowNanos)) {
            opener.openForWaiters();
        }
        return null;
    }

    /**
     * Takes a connection for a long read. It is of the yielding kind if one is idle or may be opened, unless the read has waited for
     * long: where the cores are full, yielding processes would get less and less of them.
     */
    private @Nullable BackendConnection takeForLong(ConnectionRequest request) {
        long now = loop.nanoTime();
        PoolKey yielding = request.key().yieldingOnes();
        boolean yields = !request.hasWaitedLong(now)
                && (idle.has(yielding) || (!opener.isRefused(yielding) && opener.makeRoomFor(yielding)));
        return take(yields ? request.ofKind(yielding) : request, now);
    }

    /** Withdraws the waiter's request. */
    public void forget(BackendWaiter waiter) {
        waiting.forget(waiter);
        serveLong();
    }

    // --- requests that have waited

    private void give(BackendConnection connection, ConnectionRequest request) {
        connection.assign(request.waiter(), loop.nanoTime(), request.expectedNanos() > 0);
        request.waiter().acquired(connection);
    }

    private void serve(ConnectionRequest request) {
        notifyOf(take(request, loop.nanoTime()), request);
    }

    private static void notifyOf(@Nullable BackendConnection connection, ConnectionRequest request) {
        if (connection != null) {
            request.waiter().acquired(connection);
        }
    }

    /** Serves waiting long reads as far as the number of running ones allows. */
    private void serveLong() {
        longReads.serve(request -> notifyOf(takeForLong(request), request));
    }

    /** Serves waiters with idle connections and opens others for them, as far as allowed. */
    private void serveWaiters() {
        for (ConnectionRequest next = firstForIdle(); next != null; next = firstForIdle()) {
            waiters.remove(next);
            serve(next);
        }
        while (opener.openForWaiters()) {
            // Each call opens one connection.
        }
        if (isShortOfBudget()) {
            budget.askOthers(this);
        }
    }

    /** Returns the first waiting request that an idle connection of its kind may serve. */
    private @Nullable ConnectionRequest firstForIdle() {
        return idle.count() == 0 ? null : opener.firstFor(kind -> idle.has(kind) && !room.isFull(kind));
    }

    private boolean isShortOfBudget() {
        return !waiters.isEmpty() && !budget.allowsOneMore(false);
    }

    // --- called by the connections

    void opened(BackendConnection connection) {
        boolean wasRefused = opener.accepted(connection.key());
        // A new connection serves first a waiter of the kind for which it was opened; otherwise connections could
        // replace each other for ever.
        reuse(connection, false);
        if (wasRefused) {
            opener.openForWaiters();
        }
    }

    /**
     * Gives a connection that nobody uses any more to the next waiter. If none may have it, it becomes idle.
     *
     * @param replaceable whether a waiter of another kind that has waited for long comes before those of the same kind
     */
    void reuse(BackendConnection connection, boolean replaceable) {
        if (connection.pooled.open) {
            PoolKey kind = connection.key();
            if (connection.pooled.stale) {
                closeForOthers(connection);
            } else if (!kind.yielding() && budget.isOverdrawn()) {
                reuseReserved(connection);
            } else if (!waiting.any || room.isExceeded(kind) || !giveToNext(connection, replaceable)) {
                // If more are executing than may, others were opened while this one was at rest or private.
                if (loop.anyPaused && loop.paused.covers(kind.database())) {
                    closeForOthers(connection);
                } else {
                    idle.add(connection, kind, loop.nanoTime());
                }
            }
        }
        if (waiting.any) {
            serveLong();
            waiting.look();
        }
    }

    private void reuseReserved(BackendConnection connection) {
        ConnectionRequest next = waiters.takeReserved(connection.key());
        if (next == null) {
            closeForOthers(connection);
        } else {
            give(connection, next);
        }
    }

    /** Closes a connection that nobody uses, which may make room for another that a request waits for. */
    private void closeForOthers(BackendConnection connection) {
        room.close(connection);
        opener.openForWaiters();
    }

    /** @return false if no waiter may have the connection */
    private boolean giveToNext(BackendConnection connection, boolean replaceable) {
        PoolKey kind = connection.key();
        ConnectionRequest head = opener.firstInPlaceOf(kind);
        boolean headFirst = replaceable
                && head != null
                && !head.key().equals(kind)
                && ConnectionQueue.isOutOfPatience(head, loop.nanoTime());
        ConnectionRequest next = headFirst ? null : nextOfKind(kind);
        if (next != null) {
            give(connection, next);
        } else if (head != null) {
            replace(connection, head);
        } else {
            return false;
        }
        return true;
    }

    private @Nullable ConnectionRequest nextOfKind(PoolKey kind) {
        ConnectionRequest next = waiters.take(kind);
        if (next == null) {
            next = shared.take(kind);
        }
        // A long read may wait for any connection because it found no yielding one.
        return next == null && kind.yielding() ? waiters.takeLong(kind) : next;
    }

    /** Serves a request of another kind by changing this connection's kind, or by opening a connection in its place. */
    private void replace(BackendConnection connection, ConnectionRequest request) {
        if (connection.key().canBecome(request.key())) {
            waiters.remove(request);
            connection.become(request.key());
            give(connection, request);
        } else {
            room.close(connection);
            opener.open(request.key());
        }
    }

    /** Updates the pool before a connection changes its kind. */
    void becomesAnother(BackendConnection connection, PoolKey other) {
        shared.remove(connection);
        if (other.yielding()) {
            connections.yields(connection);
        }
    }

    void madePrivate(BackendConnection connection) {
        connections.madePrivate(connection);
        opener.openForWaiters();
    }

    void madeShared(BackendConnection connection) {
        connections.madeShared(connection);
        room.closeOneTooMany();
    }

    void closed(BackendConnection connection, boolean wasOpen, @Nullable ErrorFields error) {
        PoolKey kind = connection.key();
        room.remove(connection);
        idle.remove(connection);
        if (!wasOpen && opener.refusedBy(kind, error)) {
            opener.openForWaiters();
            return;
        }
        if (!wasOpen) {
            // The engine would answer each request for this kind the same.
            opener.accepted(kind);
            waiting.failKind(kind, error);
        }
        opener.openForWaiters();
        serveLong();
    }

    // --- called at intervals, and by other loops

    /** @return whether any session still waits behind others, or for a connection */
    boolean displaceWhoHasWaited() {
        boolean any = false;
        for (BackendConnection connection : connections.all()) {
            any |= connection.users.displaceWhoHasWaited();
            // A waiter that kept others from joining may have got another connection meanwhile, of which this one is
            // not notified.
            shared.advanced(connection);
        }
        serveLong();
        any |= shared.giveUp(this::serve);
        if (!waiters.isEmpty()) {
            connections.park(loop.nanoTime());
            serveWaiters();
        }
        return any || !longReads.isEmpty() || !waiters.isEmpty();
    }

    /** Moves connections of a Satellite that unexpectedly use much CPU to the yielding kind. */
    void yieldWhoIsBusy(long enoughNanos) {
        if (node.role() == Role.SATELLITE) {
            connections.all().forEach(connection -> connection.users.yieldIfBusy(enoughNanos));
            // For each connection that yields now another may be opened.
            opener.openForWaiters();
        }
    }

    /** Closes one idle connection, because another loop has none left for a waiter. */
    void closeOneForOthers() {
        if (waiters.isEmpty()) {
            room.closeOneIdle(kind -> true);
        }
    }

    /** Ends at most {@code most} transactions whose clients have been inactive for {@code idleNanos}. */
    void endIdle(int most, long idleNanos) {
        connections.endIdle(most, loop.nanoTime() - idleNanos);
    }

    /** Ends transactions that have been idle for {@code idleNanos} if others wait for a connection and no more may be opened. */
    void endIdleOthersWaitFor(long idleNanos) {
        if (isShortOfBudget()) {
            budget.endIdle(waiters.size(), idleNanos);
        }
    }

    /** Drops every connection at once, because the node is dead, frozen or about to be stopped. */
    public void abortAll() {
        for (BackendConnection connection : connections.all()) {
            connection.abort();
        }
        waiting.failAll();
    }

    // --- called for administrators

    /** Sets the number of connections that may execute side by side. */
    void reconfigure(int limit) {
        room.reconfigure(PoolBounds.of(limit, sideBySide));
        serveWaiters();
    }

    /**
     * Closes the idle connections to databases that are paused now, lets requests there wait, and serves those in databases that are
     * no longer paused.
     */
    void pausedChanged() {
        waiting.pauseIf(request -> isPaused(request.key(), request.waiter()));
        closeIdle(loop.paused::covers);
        Predicate<ConnectionRequest> resumed = request -> !isPaused(request.key(), request.waiter());
        for (ConnectionRequest next = waiting.takePaused(resumed); next != null; next = waiting.takePaused(resumed)) {
            notifyOf(acquire(next.key(), next.waiter(), next.expectedNanos()), next);
        }
    }

    private void closeIdle(Predicate<String> databases) {
        while (room.closeOneIdle(kind -> databases.test(kind.database()))) {
            // Each test closes one connection.
        }
        opener.openForWaiters();
    }

    /** Closes the clients' connections to such databases, each as soon as its users have left it. */
    void renew(Predicate<String> databases) {
        closeIdle(databases);
        for (BackendConnection each : clientsConnections(databases)) {
            if (each.isOpen()) {
                each.pooled.stale = true;
                each.withdrawOffer();
            }
        }
    }

    /** Drops the clients' connections to such databases at once. */
    void abort(Predicate<String> databases) {
        clientsConnections(databases).forEach(BackendConnection::abort);
    }

    private List<BackendConnection> clientsConnections(Predicate<String> databases) {
        return connections.all().stream()
                .filter(each -> databases.test(each.key().database()) && !each.users.areMultimedsOwn())
                .toList();
    }

    /** Returns the kinds of the connections that are open or being opened for clients, one for each. */
    public List<PoolKey> clientKinds() {
        return connections.clientKinds();
    }

    /** Returns the number of connections to such databases that are closed once their users have left them. */
    public int staleCount(Predicate<String> databases) {
        return connections.staleCount(databases);
    }

    // --- numbers shown to administrators

    /** Returns the number of connections open or being opened, private ones included. */
    public int size() {
        return connections.size();
    }

    /** Returns the process numbers of the backends behind the open connections. */
    public List<Integer> processIds() {
        return connections.processIds();
    }

    public int idleCount() {
        return idle.count();
    }

    public int waitingCount() {
        return waiting.count();
    }

    /** Returns the total number of units sent behind those of other sessions. */
    public long behindCount() {
        return shared.behindCount();
    }

    /** Returns the total number of such units that had to be sent elsewhere instead. */
    public long displacedCount() {
        return shared.displacedCount();
    }

    public int privateCount() {
        return connections.privateCount();
    }

    /** Returns the number of connections in use without traffic, such as those idle in a transaction. */
    public int restingCount() {
        return connections.restingCount();
    }

    /** Returns the connections in use, the longest held first. */
    public List<HeldConnection> held() {
        return connections.held(loop.nanoTime());
    }
}
