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
 * <p>No more than its {@link PoolBounds} allow are open; sessions queue for them in the order in which they came. A connection
 * serves the next waiter of its own kind; a waiter of another kind that has waited for long gets a connection made in its place.
 */
public final class NodeBackends {
    private static final long OPENING_MILLIS = 5_000;
    /** One that yields and that nobody has used for so long is closed for one of another kind that yields. */
    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The same of one beyond those that execute side by side. */
    private static final long SURPLUS_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** After which an engine that had no connection left is asked again. */
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

    /** It will be asked again for those. */
    private boolean reopening;
    /** A waiter is about to be given a connection that others use. */
    private boolean joining;
    /** Those whose reads take long are being served. */
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

    /** Whether reads that do not take long use connections now. */
    private boolean othersRun() {
        return busyCount() > longReads.runningCount();
    }

    /** How many somebody uses, and not only holds. */
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
     * Asks for a connection.
     *
     * @return one that was idle, or one on which the waiter {@link BackendWaiter#mayFollow}; null when {@code waiter} will
     *     be told later
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

    /** Whether a connection is being opened for whoever waits, so that nobody else keeps it waiting. */
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
     * Whether as many execute side by side as may. There may be connections that nobody uses all the same: others were used
     * while these were at rest.
     */
    private boolean hasFullUse(PoolKey kind) {
        return !kind.yielding()
                && connections.countedCount() > bounds.usual()
                && connections.count(false) - idle.count(false) >= bounds.usual();
    }

    /** Something passes over it again. */
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

    /** Somebody has offered to share the connection. */
    void offered(BackendConnection connection) {
        shared.add(connection);
        advanced(connection);
    }

    /** One of several users of the connection has been answered: the first waiter may follow now. */
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

    /** @return whether anybody still waits behind others, or to */
    boolean displaceWhoHasWaited() {
        boolean any = false;
        for (BackendConnection connection : connections.all()) {
            any |= connection.followers().displaceWhoHasWaited();
            // Whoever kept others from joining may have got another connection, which nobody tells this one.
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

    /** Serves those who wait, as far as the connections that nobody uses go and others may be opened. */
    private void serveWaiters() {
        for (ConnectionRequest next = firstForIdle(); next != null; next = firstForIdle()) {
            waiters.remove(next);
            serve(next);
        }
        while (openForWaiters()) {
            // One more.
        }
        if (!waiters.isEmpty() && !budget.allowsOneMore(false)) {
            budget.askOthers(this);
        }
    }

    /** The first request that waits although an idle connection of its kind may serve it. */
    private @Nullable ConnectionRequest firstForIdle() {
        return idle.count() == 0 ? null : waiters.firstUnrefused(refused, kind -> idle.has(kind) && !hasFullUse(kind));
    }

    /** Another loop has none left for somebody who waits. */
    void closeOneForOthers() {
        if (waiters.isEmpty()) {
            closeOneIdle(kind -> true);
        }
    }

    /** Ends transactions whose clients have done nothing for so long, at most so many. */
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

    /** Has transactions ended that have been idle for so long, since others wait for a connection and no more may be opened. */
    void endIdleOthersWaitFor(long idleNanos) {
        if (!waiters.isEmpty() && !budget.allowsOneMore(false)) {
            budget.endIdle(waiters.size(), idleNanos);
        }
    }

    /** Serves those whose reads take long, as far as not too many run. */
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

    /** Whoever keeps a processor of a Satellite busy for long, though that was not to be expected, yields from now on. */
    void yieldWhoIsBusy(long enoughNanos) {
        if (node.role() == Role.SATELLITE) {
            connections.all().forEach(connection -> connection.yieldIfBusy(enoughNanos));
            // Instead of each that yields now another may be opened.
            openForWaiters();
        }
    }

    /** The connection is going to be of another kind. */
    void becomesAnother(BackendConnection connection, PoolKey other) {
        shared.remove(connection);
        if (other.yielding()) {
            connections.yields(connection);
        }
    }

    /** Uses one of the connections no more. */
    void left(@Nullable BackendUser user) {
        longReads.left(user);
    }

    /**
     * Of reads that take long: one whose processes yield to those of the others, if there is one or may be one more of these, and
     * unless it has waited for long: where the cores are full, those who yield would get less and less of them.
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

    /** The session no longer wants what it asked for. */
    public void forget(BackendWaiter waiter) {
        waiters.forget(waiter);
        shared.forget(waiter);
        longReads.forget(waiter);
        serveLong();
    }

    /** Drops every connection at once: the node is dead, frozen or about to be stopped. */
    public void abortAll() {
        for (BackendConnection connection : connections.all()) {
            connection.abort();
        }
        failWaiters(null);
    }

    /** Those who have waited since {@code nanos} get no connection any more. */
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

    /** Closes connections that nobody has used since {@code nanos}. */
    void closeIdleSince(long nanos) {
        idle.closeSince(nanos);
        // More were opened while others were at rest.
        long surplusSince = loop.nanoTime() - SURPLUS_NANOS;
        while (connections.countedCount() > bounds.usual()
                && connections.count(false) > bounds.usual()
                && close(idle.takeOldest(one -> !one.key().yielding() && one.idleSinceNanos - surplusSince < 0))) {
            // One less.
        }
    }

    /** Connections open or being opened, private ones included. */
    public int size() {
        return connections.size();
    }

    /** The engine's processes behind those that are open. */
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

    /** How many units were ever sent behind those of others. */
    public long behindCount() {
        return behind;
    }

    /** How many of them had to be sent elsewhere instead. */
    public long displacedCount() {
        return displaced;
    }

    public int privateCount() {
        return connections.privateCount();
    }

    /** Those in use over which nothing passes: idle in a transaction, for instance. */
    public int restingCount() {
        return parked.count();
    }

    /** Those that somebody holds, the longest held first. */
    public List<HeldConnection> held() {
        return connections.held(loop.nanoTime());
    }

    /** Whether one more of this kind may be open, be it in place of one that nobody uses, which is closed then. */
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

    /** Whether more wait for a connection of this kind to themselves than are being opened. */
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

    /** @return false when no more may be open */
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
            // An engine whose main process is stopped accepts connections, in the kernel, and never answers.
            connector.after(OPENING_MILLIS, connection::abortUnlessOpen);
        });
        return true;
    }

    // --- called by the connections

    void opened(BackendConnection connection) {
        boolean wasRefused = refused.remove(connection.key());
        // Serves one first for whom it was opened: otherwise connections could be made in each other's place for ever.
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

    /** @param replaceable whether one of another kind that has waited for long comes before those of its own */
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
            // Others were opened while it was at rest, or private: as many execute side by side as may.
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
            // It found none that yields.
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

    /** Serves one of another kind by this connection, or by one in its place. */
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

    /** Asks again for those kinds that the engine has refused and for which somebody waits. */
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

    /** There may be room for one more now. @return whether one is being opened */
    private boolean openForWaiters() {
        // The search ends with the one for whom room was made.
        ConnectionRequest first = waiters.firstUnrefused(refused, kind -> lacks(kind) && makeRoomFor(kind));
        return first != null && open(first.key());
    }

    private void failWaiters(@Nullable ErrorFields error) {
        List<ConnectionRequest> failed = shared.takeAll();
        failed.addAll(longReads.takeAll());
        failed.addAll(waiters.takeAll());
        failed.forEach(waiting -> fail(waiting, error));
    }

    /** A connection that did not open answers all who wait for one of its kind: the engine would tell each the same. */
    private void failWaitersOf(PoolKey key, @Nullable ErrorFields error) {
        refused.remove(key);
        waiters.takeAll(key).forEach(waiting -> fail(waiting, error));
    }
}
