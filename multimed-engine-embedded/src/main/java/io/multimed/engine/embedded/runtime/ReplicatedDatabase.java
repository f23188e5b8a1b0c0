package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.ComparisonStatus;
import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.NodeStatus;
import io.multimed.engine.embedded.ReadStatus;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A Master and its Satellites in this process, and the log between them. */
public final class ReplicatedDatabase implements EmbeddedDatabase {
    /** Interval at which a lingering Master is checked; engines measure their delay in seconds. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EmbeddedOptions options;
    private final Consumer<ReplicatedDatabase> onClosed;
    private final WriteSetLog<Changes> log = new WriteSetLog<>();
    private final ComputationalNode masterNode = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private final List<Satellite> satellites;
    private final Nodes nodes;
    private final Recovery recovery;
    private final ReadCounts readCounts = new ReadCounts();
    private final Definitions definitions = new Definitions(this);
    private final Comparing comparing;
    private final AtomicInteger nextSatellite = new AtomicInteger();
    private final AtomicInteger masters = new AtomicInteger(1);
    /** The present epoch; null while there is no Master. */
    private volatile @Nullable Epoch epoch;

    private volatile boolean closed;
    private final FloorHistory floors = new FloorHistory();
    /** Tasks to be run when the database has ended. Guarded by itself. */
    private final List<Runnable> whenEnded = new ArrayList<>();

    private int sessions;
    /** Whether a thread waits for the end of a lingering Master. Guarded by this. */
    private boolean lingering;

    private ReplicatedDatabase(
            EmbeddedOptions options,
            EngineFamily family,
            Properties credentials,
            Consumer<ReplicatedDatabase> onClosed,
            MasterEngine master) {
        this.options = options;
        this.onClosed = onClosed;
        this.epoch = epochOf(master);
        List<Satellite> made = new ArrayList<>();
        for (int number = 1; number < options.replicas(); number++) {
            made.add(new Satellite(new ComputationalNode(NodeId.satellite(number), Role.SATELLITE)));
        }
        this.satellites = List.copyOf(made);
        this.nodes =
                new Nodes(masterNode, satellites.stream().map(Satellite::node).toList());
        this.recovery = new Recovery(this, family, credentials);
        this.comparing = new Comparing(this, options.compare());
        masterNode.serving(true);
    }

    /**
     * Opens the Master and creates its Satellites, in the caller's thread.
     *
     * @param onClosed called when the database has ended, perhaps more than once
     * @throws SQLException 08001 if a Satellite could not be made; the engine's own if the Master could not be opened
     */
    public static ReplicatedDatabase open(
            EngineFamily family, EmbeddedOptions options, Properties credentials, Consumer<ReplicatedDatabase> onClosed)
            throws SQLException {
        MasterEngine master = family.open(options.engineUrl(), credentials, true);
        ReplicatedDatabase database = new ReplicatedDatabase(options, family, credentials, onClosed, master);
        try {
            database.recovery.makeAll();
            database.comparing.start();
            return database;
        } catch (SQLException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Opens a session.
     *
     * @param own options of this session for its reads
     * @return null if this database has ended: shut down, or closed with its last connection; open it anew
     */
    public @Nullable EmbeddedSession connect(EmbeddedOptions own, Properties credentials, ReplicaListener listener)
            throws SQLException {
        if (hasEnded()) {
            return null;
        }
        Connected master;
        try {
            master = connectToMaster(credentials);
        } catch (SQLException e) {
            if (closed) {
                return null;
            }
            throw e;
        }
        if (!sessionOpened()) {
            master.session().connection().close();
            return null;
        }
        CapturingSession session;
        try {
            session = new CapturingSession(this, own, credentials, listener, master.epoch(), master.session());
        } catch (SQLException | RuntimeException e) {
            sessionClosed();
            master.session().connection().close();
            throw e;
        }
        try {
            // Actions of the engine at connect (INIT of H2) are not announced.
            session.checkStrayed();
        } catch (SQLException | RuntimeException e) {
            session.close();
            throw e;
        }
        return session;
    }

    /** Counts a new session. Returns false if the last session has closed the database; then the engine must be opened anew. */
    private synchronized boolean sessionOpened() {
        if (closed) {
            return false;
        }
        sessions++;
        return true;
    }

    /** Whether the database has ended, by {@link #close} or by the engine's own rule. */
    private boolean hasEnded() {
        if (closed) {
            return true;
        }
        Epoch now = epoch;
        synchronized (this) {
            return sessions == 0
                    && now != null
                    && now.master().ended()
                    && (now.master().lingers() || now.master().persistent());
        }
    }

    /**
     * An engine connection to the Master.
     *
     * @param epoch the epoch of that Master
     */
    record Connected(Epoch epoch, MasterSession session) {}

    /** Connects to the present Master; looks for another one if it has ended. */
    Connected connectToMaster(Properties credentials) throws SQLException {
        while (true) {
            Epoch to = epochFor(credentials);
            MasterSession session = connect(to.master(), credentials);
            if (session != null) {
                return new Connected(to, session);
            }
            recovery.masterFailed(to, null, credentials);
        }
    }

    /** Connects to a Master. Returns null if it has ended: the database that has its name then is another, empty one. */
    private static @Nullable MasterSession connect(MasterEngine to, Properties credentials) throws SQLException {
        if (to.ended()) {
            return null;
        }
        try {
            MasterSession session = to.connect(credentials);
            if (to.sameEngine(session)) {
                return session;
            }
            session.connection().close();
        } catch (SQLException e) {
            if (!to.engineFailed(e)) {
                throw e;
            }
        }
        return null;
    }

    /**
     * Returns the present epoch.
     *
     * @param by credentials of the caller, for finding a Master
     */
    Epoch epochFor(Properties by) throws SQLException {
        Epoch now = epoch;
        // A Master is being looked for, or none was found.
        return now == null ? recovery.findMaster(null, by) : now;
    }

    /** Returns the present epoch; null while there is no Master. */
    @Nullable
    Epoch epochIfAny() {
        return epoch;
    }

    /** Returns the epoch of a new Master. */
    final Epoch epochOf(MasterEngine master) {
        Epoch begins = new Epoch(master);
        master.watch(new Unannounced(this, begins));
        return begins;
    }

    /** Whether transactions of that epoch may still commit. */
    boolean current(Epoch of) {
        return epoch == of;
    }

    void epoch(@Nullable Epoch now) {
        epoch = now;
        if (now != null) {
            masters.incrementAndGet();
        }
        masterNode.serving(now != null);
    }

    WriteSetLog<Changes> log() {
        return log;
    }

    Nodes coreNodes() {
        return nodes;
    }

    ComputationalNode masterNode() {
        return masterNode;
    }

    List<Satellite> satellites() {
        return satellites;
    }

    ReadCounts readCounts() {
        return readCounts;
    }

    Recovery recovery() {
        return recovery;
    }

    FloorHistory floors() {
        return floors;
    }

    Definitions definitions() {
        return definitions;
    }

    /** Returns the index of a Satellite for a new session, so that sessions are spread over Satellites. */
    int nextSatellite() {
        return Math.floorMod(nextSatellite.getAndIncrement(), Math.max(1, satellites.size()));
    }

    /** Whether the database has ended, with its last connection or by {@link #close}. */
    public boolean closed() {
        return closed;
    }

    /** Counts out a session. Returns whether it was the last one and the database has ended with it. */
    boolean sessionClosed() {
        Epoch now = epoch;
        synchronized (this) {
            if (--sessions > 0) {
                return false;
            }
            if (now != null && now.master().outlivesConnections()) {
                if (now.master().lingers()) {
                    // From now on the Master may end.
                    now.master().release();
                    endWithMaster();
                }
                return false;
            }
            // Under the lock, so that a new session cannot use this database any more.
            closed = true;
        }
        close();
        return true;
    }

    /**
     * Starts a thread that waits for the end of a lingering Master. Such a Master ends without notice unless a session connects in
     * time. Holding this.
     */
    private void endWithMaster() {
        if (!lingering) {
            lingering = true;
            Thread thread = new Thread(this::linger, "multimed-lingering");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void linger() {
        do {
            LockSupport.parkNanos(this, LINGER_NANOS);
        } while (lingers());
        if (closed) {
            close();
        }
    }

    private synchronized boolean lingers() {
        if (hasEnded()) {
            closed = true;
        }
        lingering = sessions == 0 && !closed;
        return lingering;
    }

    /** Closes the database as {@link #close} does, if there is no session. */
    public void closeUnused() {
        synchronized (this) {
            if (sessions > 0) {
                return;
            }
            // Under the lock, so that a new session cannot use this database any more.
            closed = true;
        }
        close();
    }

    /** Ends the Satellites; the Master follows its own rule. Idempotent. */
    public void close() {
        closed = true;
        comparing.wake();
        for (Satellite satellite : satellites) {
            satellite.end();
        }
        Epoch now = epoch;
        if (now != null) {
            now.master().release();
        }
        onClosed.accept(this);
        List<Runnable> waiting;
        synchronized (whenEnded) {
            waiting = List.copyOf(whenEnded);
            whenEnded.clear();
        }
        waiting.forEach(Runnable::run);
    }

    @Override
    public void whenEnded(Runnable then) {
        synchronized (whenEnded) {
            if (!closed) {
                whenEnded.add(then);
                return;
            }
        }
        then.run();
    }

    /** Returns the engine's URL without options, for people. */
    String name() {
        String url = options.engineUrl();
        int settings = url.indexOf(';');
        return settings < 0 ? url : url.substring(0, settings);
    }

    @Override
    public EmbeddedOptions options() {
        return options;
    }

    @Override
    public List<NodeStatus> nodes() {
        long floor = log.floor();
        List<NodeStatus> status = new ArrayList<>();
        status.add(new NodeStatus(
                masterNode.id(),
                Role.MASTER,
                masterNode.serving() ? "serving" : "down",
                floor,
                0,
                0,
                masterNode.active(),
                masterNode.served(),
                masters.get(),
                ""));
        for (Satellite satellite : satellites) {
            ComputationalNode node = satellite.node();
            status.add(new NodeStatus(
                    node.id(),
                    Role.SATELLITE,
                    node.serving() ? "serving" : "rebuilding",
                    node.applied(),
                    Math.max(0, floor - node.applied()),
                    satellite.rowsBehind(),
                    node.active(),
                    node.served(),
                    satellite.engines(),
                    satellite.detail()));
        }
        return status;
    }

    @Override
    public ReadStatus reads() {
        return readCounts.status(satellites.stream()
                .mapToLong(satellite -> satellite.node().served())
                .sum());
    }

    @Override
    public ComparisonStatus comparisons() {
        return comparing.status();
    }

    @Override
    public long committed() {
        return log.floor();
    }
}
