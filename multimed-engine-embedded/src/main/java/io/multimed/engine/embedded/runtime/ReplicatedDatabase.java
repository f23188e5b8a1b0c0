package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.ComparisonStatus;
import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.engine.embedded.EmbeddedNodeStatus;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReadStatus;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Master and its Satellites in this process, and the log between them.
 *
 * <p>It has more fields than other classes, since it is the list of the parts of a database.
 */
public final class ReplicatedDatabase implements EmbeddedDatabase {
    private final EmbeddedOptions options;
    private final Consumer<ReplicatedDatabase> onClosed;
    private final WriteSetLog<Changes> log = new WriteSetLog<>();
    private final Masters masters;
    private final Lifetime lifetime;
    private final List<Satellite> satellites;
    private final Nodes nodes;
    private final Recovery recovery;
    private final ReadCounts readCounts = new ReadCounts();
    private final Definitions definitions = new Definitions(this);
    private final Comparing comparing;
    private final AtomicInteger nextSatellite = new AtomicInteger();
    private final FloorHistory floors = new FloorHistory();

    private ReplicatedDatabase(
            EmbeddedOptions options,
            EngineFamily family,
            Properties credentials,
            Consumer<ReplicatedDatabase> onClosed,
            MasterEngine master) {
        this.options = options;
        this.onClosed = onClosed;
        this.masters = new Masters(this, master);
        this.lifetime = new Lifetime(masters, this::release);
        List<Satellite> made = new ArrayList<>();
        for (int number = 1; number < options.replicas(); number++) {
            made.add(new Satellite(new ComputationalNode(NodeId.satellite(number), Role.SATELLITE)));
        }
        this.satellites = List.copyOf(made);
        this.nodes = new Nodes(
                masters.node(), satellites.stream().map(Satellite::node).toList());
        this.recovery = new Recovery(this, family, credentials);
        this.comparing = new Comparing(this, options.compare());
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
        if (lifetime.hasEnded()) {
            return null;
        }
        Masters.Connected master;
        try {
            master = masters.connect(credentials);
        } catch (SQLException e) {
            if (lifetime.closed()) {
                return null;
            }
            throw e;
        }
        if (!lifetime.sessionOpened()) {
            master.session().connection().close();
            return null;
        }
        CapturingSession session;
        try {
            session = new CapturingSession(this, own, credentials, listener, master.epoch(), master.session());
        } catch (SQLException | RuntimeException e) {
            lifetime.sessionClosed();
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

    WriteSetLog<Changes> log() {
        return log;
    }

    Nodes coreNodes() {
        return nodes;
    }

    Masters masters() {
        return masters;
    }

    Lifetime lifetime() {
        return lifetime;
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

    /** Passes on the sessions' connections to Satellites, each with its session on the Master. */
    void eachReader(BiConsumer<MasterSession, Connection> each) {
        for (Satellite satellite : satellites) {
            Satellite.Running running = satellite.running();
            if (running != null) {
                running.readers().each(each);
            }
        }
    }

    /** Returns the index of a Satellite for a new session, so that sessions are spread over Satellites. */
    int nextSatellite() {
        return Math.floorMod(nextSatellite.getAndIncrement(), Math.max(1, satellites.size()));
    }

    /** Whether the database has ended, with its last connection or by {@link #close}. */
    public boolean closed() {
        return lifetime.closed();
    }

    /** Closes the database as {@link #close} does, if there is no session. */
    public void closeUnused() {
        lifetime.closeUnused();
    }

    /** Ends the Satellites; the Master follows its own rule. Idempotent. */
    public void close() {
        lifetime.close();
    }

    private void release() {
        comparing.wake();
        for (Satellite satellite : satellites) {
            satellite.end();
        }
        Epoch now = masters.epochIfAny();
        if (now != null) {
            now.master().release();
        }
        onClosed.accept(this);
    }

    @Override
    public void whenEnded(Runnable then) {
        lifetime.whenEnded(then);
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
    public List<EmbeddedNodeStatus> nodes() {
        long floor = log.floor();
        ComputationalNode masterNode = masters.node();
        List<EmbeddedNodeStatus> status = new ArrayList<>();
        status.add(new EmbeddedNodeStatus(
                masterNode.id(),
                Role.MASTER,
                masterNode.serving() ? "serving" : "down",
                floor,
                0,
                0,
                masterNode.active(),
                masterNode.served(),
                masters.count(),
                ""));
        for (Satellite satellite : satellites) {
            ComputationalNode node = satellite.node();
            status.add(new EmbeddedNodeStatus(
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
