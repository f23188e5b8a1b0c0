package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's connections to one node.
 *
 * <p>At most as many are open as its {@link PoolBounds} allow; sessions queue for them in order of arrival. A connection serves the
 * next waiter of its own kind. A waiter of another kind that has waited for long gets a connection opened in its place.
 */
public final class NodeBackends {
    private static final long OPENING_MILLIS = 5_000;
    /** Idle time after which a yielding connection may be closed for one of another yielding kind. */
    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Idle time after which a connection beyond the usual number is closed. */
    private static final long SURPLUS_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Time after which an engine that had no connection left is asked again. */
    private static final long REOPEN_MILLIS = 200;

    private final ComputationalNode node;
    private final LoopBackends loop;
    private final Connector connector;
    private final PoolBounds bounds;
    private final IdleConnections idle = new IdleConnections();
    private final ConnectionQueue waiters;
    private final SharedConnections shared;
    private final LongReadQueue longReads;
    private final ConnectionBudget budget;
    private final ParkedConnections parked = new ParkedConnections();
    private final OpenConnections connections;
    private final RefusedKinds refused = new RefusedKinds();

    /** Whether the engine will be asked again for the refused kinds. */
    private boolean reopening;
    /** Whether waiters are being given a connection that others use; guards against re-entry. */
    private boolean joining;
    /** Whether long reads are being served; guards against re-entry. */
    private boolean servingLong;

    private long behind;
    private long displaced;

    NodeBackends(ComputationalNode node, LoopBackends loop, Connector connector, int limit, ConnectionBudget budget) {
        this.node = node;
        this.loop = loop;
        this.connector = connector;
        this.budget = budget;
        this.connections = new OpenConnections(parked, budget);
        this.bounds = PoolBounds.of(limit, loop.sharing().connections());
        this.waiters = new ConnectionQueue(loop::nanoTime);
        this.shared = new SharedConnections(loop.sharing());
        this.longReads = new LongReadQueue(loop.sharing().connections(), this::othersRun, loop::nanoTime);
    }

    /** Whether short reads use connections now. */
    private boolean othersRun() {
        return busyCount() > longReads.runningCount();
    }

    /** Returns the number of connections that are neither idle nor at rest. */
    private int busyCount() {
        return connections.pooledCount() - idleCount() - parked.count();
    }

    public ComputationalNode node() {
        return node;
    }

    LoopBackends loop() {
        return loop;
    }

    Connector connector() {
        return connector;
    }

    /**
     * Requests a connection.
     *
     * @return one that was idle, or one on which the waiter {@link BackendWaiter#mayFollow}; null if {@code waiter} will be
     *     notified later
     */
    public @Nullable BackendConnection acquire(PoolKey key, BackendWaiter waiter) {
        long expected = node.role() == Role.SATELLITE ? waiter.expectedNanos() : 0;
        ConnectionRequest waiting = new ConnectionRequest(key, waiter, loop.nanoTime(), expected);
        if (expected > 0) {
            if (longReads.enter(waiting)) {
                return takeOrAwait(waiting.ofKind(kindForLong(waiting)));
            }
            loop.watchFollowers();
            return null;
        }
        boolean enough = busyCount() >= loop.sharing().connections();
        if (enough && waiters.firstInLineFor(key) == null) {
            BackendConnection used = shared.leastUsed(key, waiter);
            if (used != null) {
                join(used, waiter);
                return used;
            }
            if (shared.await(waiting)) {
                loop.watchFollowers();
                return null;
            }
        }
        return takeOrAwait(waiting);
    }

    /** Whether a connection is being opened for the waiter, so that no other session keeps it waiting. */
    public boolean isOpeningFor(BackendWaiter waiter) {
        ConnectionRequest waiting = waiters.of(waiter);
        return waiting != null && !lacks(waiting.key());
    }

    private @Nullable BackendConnection takeOrAwait(ConnectionRequest waiting) {
        BackendConnection connection = hasFullUse(waiting.key()) ? null : takeIdle(waiting);
        if (connection == null) {
            awaitOwn(waiting);
        } else {
            connection.assign(waiting.waiter());
        }
        return connection;
    }

    private @Nullable BackendConnection takeIdle(ConnectionRequest waiting) {
        BackendConnection connection = idle.take(waiting.key(), waiting.waiter().clientProcessId());
        return connection != null ? connection : idle.takeToBecome(waiting.key());
    }

    private void awaitOwn(ConnectionRequest waiting) {
        waiters.add(waiting);
        loop.watchFollowers();
        if (makeRoomFor(waiting.key())) {
            open(waiting.key());
        } else if (connections.park(loop.nanoTime())) {
            openForWaiters();
        }
    }

    /**
     * Whether as many connections are executing as may. Even then there may be idle ones, because others were opened and used while
     * these were at rest.
     */
    private boolean hasFullUse(PoolKey kind) {
        return !kind.yielding()
                && connections.countedCount() > bounds.usual()
                && connections.count(false) - idle.count(false) >= bounds.usual();
    }

    /** Records traffic on a connection that was at rest. */
    void moves(BackendConnection connection) {
        parked.remove(connection);
    }

    // --- connections used by several

    int mostFollowers() {
        return shared.mostFollowers();
    }

    private void join(BackendConnection connection, BackendWaiter waiter) {
        behind++;
        connection.followers().add(waiter);
        loop.watchFollowers();
    }

    /** Adds a connection whose user lets others share it. */
    void offered(BackendConnection connection) {
        shared.add(connection);
        advanced(connection);
    }

    /** Lets the first waiters follow on the connection, after one of its users was answered. */
    void advanced(BackendConnection connection) {
        if (joining) {
            return;
        }
        joining = true;
        try {
            while (connection.followers().takesMore()) {
                ConnectionRequest first = waiters.firstInLineFor(connection.key());
                boolean toShare = first == null;
                if (toShare) {
                    first = shared.first(connection.key());
                }
                if (first == null
                        || !first.key().equals(connection.key())
                        || !first.waiter().mayFollow(connection)) {
                    return;
                }
                if (toShare) {
                    shared.take(connection.key());
                } else {
                    waiters.remove(first);
                }
                join(connection, first.waiter());
                first.waiter().acquired(connection);
            }
        } finally {
            joining = false;
        }
    }

    void displaced(int units) {
        displaced += units;
    }

    /** @return whether any session still waits behind others, or for a connection */
    boolean displaceWhoHasWaited() {
        boolean any = false;
        for (BackendConnection connection : connections.all()) {
            any |= connection.followers().displaceWhoHasWaited();
            // A waiter that kept others from joining may have got another connection meanwhile, of which this one is
            // not notified.
            advanced(connection);
        }
        serveLong();
        any |= shared.giveUp(this::serve);
        if (!waiters.isEmpty()) {
            connections.park(loop.nanoTime());
            serveWaiters();
        }
        return any | !longReads.isEmpty() | !waiters.isEmpty();
    }

    /** Serves waiters with idle connections and opens others for them, as far as allowed. */
    private void serveWaiters() {
        for (ConnectionRequest next = firstForIdle(); next != null; next = firstForIdle()) {
            waiters.remove(next);
            serve(next);
        }
        while (openForWaiters()) {
            // Each call opens one connection.
        }
        if (!waiters.isEmpty() && !budget.allowsOneMore(false)) {
            budget.askOthers(this);
        }
    }

    /** Returns the first waiting request that an idle connection of its kind may serve. */
    private @Nullable ConnectionRequest firstForIdle() {
        return idle.count() == 0 ? null : waiters.firstUnrefused(refused, kind -> idle.has(kind) && !hasFullUse(kind));
    }

    /** Closes one idle connection, because another loop has none left for a waiter. */
    void closeOneForOthers() {
        if (waiters.isEmpty()) {
            closeOneIdle(kind -> true);
        }
    }

    /** Ends at most {@code most} transactions whose clients have been inactive for {@code idleNanos}. */
    void endIdle(int most, long idleNanos) {
        int left = most;
        for (BackendConnection connection : parked.idleSince(loop.nanoTime() - idleNanos)) {
            if (left-- == 0) {
                return;
            }
            if (connection.user() instanceof BackendWaiter user) {
                user.idleForTooLong();
            }
        }
    }

    /** Ends transactions that have been idle for {@code idleNanos} if others wait for a connection and no more may be opened. */
    void endIdleOthersWaitFor(long idleNanos) {
        if (!waiters.isEmpty() && !budget.allowsOneMore(false)) {
            budget.endIdle(waiters.size(), idleNanos);
        }
    }

    /** Serves waiting long reads as far as the number of running ones allows. */
    private void serveLong() {
        if (servingLong) {
            return;
        }
        servingLong = true;
        try {
            for (ConnectionRequest next = longReads.next(); next != null; next = longReads.next()) {
                serve(next.ofKind(kindForLong(next)));
            }
        } finally {
            servingLong = false;
        }
    }

    /** Moves connections of a Satellite that unexpectedly use much CPU to the yielding kind. */
    void yieldWhoIsBusy(long enoughNanos) {
        if (node.role() == Role.SATELLITE) {
            connections.all().forEach(connection -> connection.yieldIfBusy(enoughNanos));
            // For each connection that yields now another may be opened.
            openForWaiters();
        }
    }

    /** Updates the pool before a connection changes its kind. */
    void becomesAnother(BackendConnection connection, PoolKey other) {
        shared.remove(connection);
        if (other.yielding()) {
            connections.yields(connection);
        }
    }

    /** Records that a user has given up its connection. */
    void left(@Nullable BackendUser user) {
        longReads.left(user);
    }

    /**
     * Returns the kind of connection for a long read. It is the yielding kind if one is idle or may be opened, unless the read has
     * waited for long: where the cores are full, yielding processes would get less and less of them.
     */
    private PoolKey kindForLong(ConnectionRequest waiting) {
        PoolKey key = waiting.key();
        if (waiting.hasWaitedLong(loop.nanoTime())) {
            return key;
        }
        PoolKey yielding = key.yieldingOnes();
        boolean room = idle.has(yielding) || !refused.isRefused(yielding) && makeRoomFor(yielding);
        return room ? yielding : key;
    }

    private void serve(ConnectionRequest waiting) {
        BackendConnection connection = takeOrAwait(waiting);
        if (connection != null) {
            waiting.waiter().acquired(connection);
        }
    }

    /** Withdraws the waiter's request. */
    public void forget(BackendWaiter waiter) {
        waiters.forget(waiter);
        shared.forget(waiter);
        longReads.forget(waiter);
        serveLong();
    }

    /** Drops every connection at once, because the node is dead, frozen or about to be stopped. */
    public void abortAll() {
        for (BackendConnection connection : connections.all()) {
            connection.abort();
        }
        failWaiters(null);
    }

    /** Refuses the requests that have waited since {@code nanos} or longer. */
    void refuseWaitingSince(long nanos) {
        List<ConnectionRequest> refused = shared.takeWaitingSince(nanos);
        refused.addAll(longReads.takeWaitingSince(nanos));
        refused.addAll(waiters.takeWaitingSince(nanos));
        ErrorFields error = ErrorFields.error(
                        SqlState.TOO_MANY_CONNECTIONS, "all connections to " + node.id() + " are in use for too long")
                .withHint("SHOW POOLS and SHOW SERVERS in the database multimed show who holds them, and since when.");
        refused.forEach(waiting -> fail(waiting, error));
    }

    private void fail(ConnectionRequest waiting, @Nullable ErrorFields error) {
        longReads.gotNone(waiting.waiter());
        waiting.waiter().notAcquired(error);
    }

    /** Closes connections that have been idle since {@code nanos} or longer. */
    void closeIdleSince(long nanos) {
        idle.closeSince(nanos);
        // These surplus connections were opened while others were at rest.
        long surplusSince = loop.nanoTime() - SURPLUS_NANOS;
        while (connections.countedCount() > bounds.usual()
                && connections.count(false) > bounds.usual()
                && close(idle.takeOldest(one -> !one.key().yielding() && one.idleSinceNanos - surplusSince < 0))) {
            // Each test closes one connection.
        }
    }

    /** Returns the number of connections open or being opened, private ones included. */
    public int size() {
        return connections.size();
    }

    /** Returns the process numbers of the backends behind the open connections. */
    public List<Integer> processIds() {
        return connections.all().stream()
                .filter(BackendConnection::isOpen)
                .map(BackendConnection::processId)
                .toList();
    }

    public int idleCount() {
        return idle.count();
    }

    public int waitingCount() {
        return waiters.size() + shared.waitingCount() + longReads.size();
    }

    /** Returns the total number of units sent behind those of other sessions. */
    public long behindCount() {
        return behind;
    }

    /** Returns the total number of such units that had to be sent elsewhere instead. */
    public long displacedCount() {
        return displaced;
    }

    public int privateCount() {
        return connections.privateCount();
    }

    /** Returns the number of connections in use without traffic, such as those idle in a transaction. */
    public int restingCount() {
        return parked.count();
    }

    /** Returns the connections in use, the longest held first. */
    public List<HeldConnection> held() {
        return connections.held(loop.nanoTime());
    }

    /** Whether one more connection of this kind may be opened. An idle one may be closed for it. */
    private boolean makeRoomFor(PoolKey kind) {
        if (hasRoomFor(kind)) {
            return true;
        }
        if (kind.yielding()) {
            long since = loop.nanoTime() - UNUSED_NANOS;
            return close(idle.takeOldest(one -> one.key().yielding() && one.idleSinceNanos - since < 0));
        }
        if (hasFullUse(kind)) {
            return false;
        }
        boolean tooManyYield = bounds.areExceeded(connections.count(true));
        return closeOneIdle(other -> !other.yielding() || tooManyYield);
    }

    private boolean hasRoomFor(PoolKey kind) {
        return bounds.allow(kind.yielding(), connections.count(false), connections.count(true))
                && (kind.yielding()
                        || budget.allowsOneMore(false)
                        || budget.allowsOneMore(true) && waiters.mayUseReserved(kind));
    }

    /** Whether more requests wait for an exclusive connection of this kind than are being opened. */
    private boolean lacks(PoolKey kind) {
        return waiters.hasMoreThan(connections.comingCount(kind), kind);
    }

    private boolean closeOneIdle(Predicate<PoolKey> kind) {
        return close(idle.takeOldest(one -> kind.test(one.key())));
    }

    private boolean close(@Nullable BackendConnection connection) {
        if (connection == null) {
            return false;
        }
        forgetConnection(connection);
        connection.discard();
        return true;
    }

    private void forgetConnection(BackendConnection connection) {
        connections.remove(connection);
        shared.remove(connection);
    }

    /** @return false if no more may be opened */
    private boolean open(PoolKey key) {
        if (loop.isClosed()
                || !key.yielding() && !budget.take(false) && !(waiters.mayUseReserved(key) && budget.take(true))) {
            return false;
        }
        connections.reaching(key);
        connector.open(channel -> {
            if (channel == null || loop.isClosed()) {
                connections.reached(key, null);
                if (channel == null) {
                    failWaiters(null);
                } else {
                    channel.close();
                }
                return;
            }
            BackendConnection connection = new BackendConnection(this, key, channel, loop.maxPreparedPerBackend());
            connections.reached(key, connection);
            channel.pipeline().addLast(new BackendDecoder(connection));
            connection.start();
            // If an engine's main process is stopped, the kernel still accepts connections, but nothing ever answers.
            connector.after(OPENING_MILLIS, connection::abortUnlessOpen);
        });
        return true;
    }

    // --- called by the connections

    void opened(BackendConnection connection) {
        boolean wasRefused = refused.remove(connection.key());
        // A new connection serves first a waiter of the kind for which it was opened; otherwise connections could
        // replace each other for ever.
        reuse(connection, false);
        serveLong();
        if (wasRefused) {
            openForWaiters();
        }
    }

    void released(BackendConnection connection) {
        reuse(connection, true);
        serveLong();
    }

    /** @param replaceable whether a waiter of another kind that has waited for long comes before those of the same kind */
    private void reuse(BackendConnection connection, boolean replaceable) {
        if (connection.isClosed() || !connections.contains(connection)) {
            return;
        }
        PoolKey kind = connection.key();
        if (budget.isOverdrawn() && !kind.yielding()) {
            ConnectionRequest next = waiters.takeReserved(kind);
            if (next == null) {
                close(connection);
                openForWaiters();
            } else {
                connection.assign(next.waiter());
                next.waiter().acquired(connection);
            }
            return;
        }
        long now = loop.nanoTime();
        if (!kind.yielding()
                && connections.countedCount() > bounds.usual()
                && connections.count(false) - idle.count(false) > bounds.usual()) {
            // Others were opened while this one was at rest or private, so the allowed number already execute side by
            // side.
            connection.idleSinceNanos = now;
            idle.add(connection);
            return;
        }
        ConnectionRequest head = waiters.firstInPlaceOf(
                kind, refused, reopening, other -> kind.yielding() == other.yielding() && lacks(other));
        if (replaceable && head != null && !head.key().equals(kind) && ConnectionQueue.isOutOfPatience(head, now)) {
            replace(connection, head);
            return;
        }
        ConnectionRequest next = waiters.take(kind);
        if (next == null) {
            next = shared.take(kind);
        }
        if (next == null && kind.yielding()) {
            // A long read may wait here for any connection because it found no yielding one.
            next = waiters.takeLong(kind);
        }
        if (next != null) {
            connection.assign(next.waiter());
            next.waiter().acquired(connection);
            return;
        }
        if (head != null) {
            replace(connection, head);
            return;
        }
        connection.idleSinceNanos = now;
        idle.add(connection);
    }

    /** Serves a request of another kind by changing this connection's kind, or by opening a connection in its place. */
    private void replace(BackendConnection connection, ConnectionRequest waiting) {
        if (!connection.key().canBecome(waiting.key())) {
            close(connection);
            open(waiting.key());
            return;
        }
        waiters.remove(waiting);
        connection.become(waiting.key());
        connection.assign(waiting.waiter());
        waiting.waiter().acquired(connection);
    }

    void madePrivate(BackendConnection connection) {
        connections.madePrivate(connection);
        openForWaiters();
    }

    void madeShared(BackendConnection connection) {
        connections.madeShared(connection);
        if (connections.countedCount() > bounds.usual() && connections.count(false) > bounds.usual()) {
            // Another was opened meanwhile.
            closeOneIdle(kind -> !kind.yielding());
        }
    }

    void closed(BackendConnection connection, boolean wasOpen, @Nullable ErrorFields error) {
        forgetConnection(connection);
        idle.remove(connection);
        if (!wasOpen && error != null && error.sqlState().equals(SqlState.TOO_MANY_CONNECTIONS)) {
            Predicate<PoolKey> makesRoom = RefusedKinds.underTheSameLimit(connection.key(), error);
            if (connections.anyUsable(makesRoom)) {
                refused.add(connection.key(), makesRoom);
                closeOneIdle(makesRoom);
                loop.kindRefused();
                reopenLater();
                openForWaiters();
                return;
            }
        }
        if (!wasOpen) {
            failWaitersOf(connection.key(), error);
        }
        openForWaiters();
        serveLong();
    }

    /** Requests the refused kinds for which there are waiters from the engine again. */
    private void reopen() {
        List<PoolKey> kinds = refused.inTurn();
        kinds.removeIf(kind -> !waiters.hasMoreThan(0, kind));
        if (kinds.isEmpty()) {
            refused.clear();
        }
        for (PoolKey kind : kinds) {
            if (!hasRoomFor(kind) && !closeOneIdle(other -> refused.makesRoom(other, kind))) {
                reopenLater();
                return;
            }
            open(kind);
        }
    }

    private void reopenLater() {
        if (!reopening) {
            reopening = true;
            connector.after(REOPEN_MILLIS, () -> {
                reopening = false;
                reopen();
            });
        }
    }

    /** Opens one connection for a waiter if there is room. @return whether one is being opened */
    private boolean openForWaiters() {
        // makeRoomFor may close a connection, so the search must stop at the first success.
        ConnectionRequest first = waiters.firstUnrefused(refused, kind -> lacks(kind) && makeRoomFor(kind));
        return first != null && open(first.key());
    }

    private void failWaiters(@Nullable ErrorFields error) {
        List<ConnectionRequest> failed = shared.takeAll();
        failed.addAll(longReads.takeAll());
        failed.addAll(waiters.takeAll());
        failed.forEach(waiting -> fail(waiting, error));
    }

    /** Fails all requests for this kind after a connection did not open: the engine would answer each the same. */
    private void failWaitersOf(PoolKey key, @Nullable ErrorFields error) {
        refused.remove(key);
        waiters.takeAll(key).forEach(waiting -> fail(waiting, error));
    }
}
