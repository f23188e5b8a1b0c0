package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.NodeStatus;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A Master and its Satellites in this process, and the log between them. */
public final class ReplicatedDatabase implements EmbeddedDatabase {
    private final EmbeddedOptions options;
    private final WriteSetLog<Changes> log = new WriteSetLog<>();
    private final ComputationalNode masterNode = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private final List<Satellite> satellites;
    private final Nodes nodes;
    private final Recovery recovery;
    private final Definitions definitions = new Definitions(this);
    private final AtomicInteger nextSatellite = new AtomicInteger();
    private final AtomicInteger masters = new AtomicInteger(1);
    /** Null while there is no Master. */
    private volatile @Nullable Epoch epoch;

    private volatile boolean closed;
    private final FloorHistory floors = new FloorHistory();
    private int sessions;

    private ReplicatedDatabase(EmbeddedOptions options, EngineFamily family, Properties credentials, Epoch first) {
        this.options = options;
        this.epoch = first;
        List<Satellite> made = new ArrayList<>();
        for (int number = 1; number < options.replicas(); number++) {
            made.add(new Satellite(new ComputationalNode(NodeId.satellite(number), Role.SATELLITE)));
        }
        this.satellites = List.copyOf(made);
        this.nodes =
                new Nodes(masterNode, satellites.stream().map(Satellite::node).toList());
        this.recovery = new Recovery(this, family, credentials);
        masterNode.serving(true);
    }

    /**
     * Opens the Master and makes its Satellites, in the caller's thread.
     *
     * @throws SQLException 08001 if a Satellite could not be made; the engine's own if the Master could not be opened
     */
    public static ReplicatedDatabase open(EngineFamily family, EmbeddedOptions options, Properties credentials)
            throws SQLException {
        MasterEngine master = family.open(options.engineUrl(), credentials, true);
        ReplicatedDatabase database = new ReplicatedDatabase(options, family, credentials, new Epoch(master));
        try {
            database.recovery.makeAll();
            return database;
        } catch (SQLException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Opens a session.
     *
     * @return null if this database has gone: shut down, or closed with its last connection; open it anew
     */
    public @Nullable EmbeddedSession connect(Properties credentials, ReplicaListener listener) throws SQLException {
        Epoch now = epoch();
        MasterSession master = now.master().connect(credentials);
        if (closed || !now.master().sameEngine(master)) {
            master.connection().close();
            return null;
        }
        synchronized (this) {
            sessions++;
        }
        CapturingSession session = new CapturingSession(this, credentials, listener, now, master);
        // What the engine does when it is connected to (INIT of H2) nobody has announced.
        session.checkStrayed();
        return session;
    }

    Epoch epoch() throws SQLException {
        Epoch now = epoch;
        if (now == null) {
            // One is being looked for, or none was found.
            synchronized (recovery) {
                now = epoch;
            }
        }
        if (now == null) {
            throw Errors.noMaster(null);
        }
        return now;
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

    Recovery recovery() {
        return recovery;
    }

    FloorHistory floors() {
        return floors;
    }

    Definitions definitions() {
        return definitions;
    }

    /** Spreads sessions over Satellites. */
    int nextSatellite() {
        return Math.floorMod(nextSatellite.getAndIncrement(), Math.max(1, satellites.size()));
    }

    /** Whether it has ended, with its last connection or by {@link #close}. */
    public boolean closed() {
        return closed;
    }

    /** Whether that was the last session and the database has ended with it. */
    boolean sessionClosed() {
        Epoch now = epoch;
        synchronized (this) {
            if (--sessions > 0 || now != null && now.master().outlivesConnections()) {
                return false;
            }
        }
        close();
        return true;
    }

    /** Ends the Satellites; the Master follows its own rule. Idempotent. */
    public void close() {
        closed = true;
        for (Satellite satellite : satellites) {
            satellite.end();
        }
        Epoch now = epoch;
        if (now != null) {
            now.master().release();
        }
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
                    node.active(),
                    node.served(),
                    satellite.engines(),
                    satellite.detail()));
        }
        return status;
    }

    @Override
    public long committed() {
        return log.floor();
    }
}
