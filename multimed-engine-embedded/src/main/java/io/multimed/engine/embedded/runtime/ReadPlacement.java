package io.multimed.engine.embedded.runtime;

import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReadPolicy;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.runtime.ReadCounts.OnMaster;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.model.Freshness;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Finds the node for each read of one session, and keeps the session's connections to Satellites.
 *
 * <p>A session stays with its Satellite as long as it can. If the Satellite is behind, the session's thread applies the missing
 * commits itself. Only if another thread is already applying does the Dispatcher look for another Satellite that is fresh.
 *
 * <p>It has more fields than other classes, since what a read has seen, how long it may wait and the connections that it may use decide
 * together where it runs.
 */
final class ReadPlacement {
    /** Every replica holds all data. */
    private static final ReadNeeds ALL_DATA = new ReadNeeds();

    private final ReplicatedDatabase database;
    private final CapturingSession session;
    private final Properties credentials;
    private final List<Satellite> satellites;
    private final ReadCounts counts;
    private final @Nullable SatelliteReplica[] replicas;
    private final long patienceNanos;
    /** Deadline for placing the present read, in {@link System#nanoTime}, if it has one. */
    private long limit;

    private boolean limited;
    private final ReadPolicy policy;
    private MasterReplica onMaster;
    /** Index of the Satellite that this session prefers. */
    private int preferred;
    /** A change of the catalog that the session may have seen on the Master before it had a place in the log. */
    private @Nullable Definition observed;
    /** SCN of the last change of the catalog that the session has seen, or must see. */
    private long observedScn;
    /** Bound of the commits that the Master may have contained when it admitted the session. */
    private final long letInScn;
    /** The error with which Satellites refuse the session, because its password has changed since; null if none did. */
    private @Nullable SQLException outdated;

    private volatile boolean closed;

    ReadPlacement(
            ReplicatedDatabase database, CapturingSession session, EmbeddedOptions options, Properties credentials) {
        this.database = database;
        this.session = session;
        this.credentials = credentials;
        this.satellites = database.satellites();
        this.counts = database.readCounts();
        this.replicas = new @Nullable SatelliteReplica[satellites.size()];
        this.patienceNanos = options.patience().toNanos();
        this.policy = options.policy();
        this.preferred = database.nextSatellite();
        this.letInScn = database.log().floor();
        this.onMaster = new MasterReplica(session, database.masters().node());
    }

    /**
     * Begins a read.
     *
     * @param mostNanos longest time that it may wait in all, whatever the session's patience
     */
    Replica begin(boolean auto, long mostNanos) throws SQLException {
        limited = mostNanos != EmbeddedSession.NO_LIMIT;
        if (limited) {
            limit = System.nanoTime() + mostNanos;
        }
        if (!observedIsPlaced()) {
            return beginOnMaster(OnMaster.DEFINITION);
        }
        long required = required();
        Satellite satellite = satellites.get(preferred);
        if (policy != ReadPolicy.STICKY || !satellite.node().covers(required)) {
            if (auto && answersSooner(required)) {
                return beginOnMaster(OnMaster.SOONER);
            }
            satellite = place(required);
        }
        while (satellite != null) {
            SatelliteReplica replica;
            try {
                replica = replica(satellite);
            } catch (SQLException e) {
                // The Satellite refuses the session's login. The Master has accepted it, so the Master answers.
                return beginOnMaster(OnMaster.NOT_LET_IN);
            }
            // Checked again after the connection was taken: the node's position belonged to this engine if the engine
            // is still
            // being fed.
            if (replica != null && satellite.node().covers(required) && replica.usable() && replica.begin(auto)) {
                return replica;
            }
            // The Satellite has just failed, or has a new engine made from an older copy. Another one is tried, or the
            // Master.
            required = Math.max(required, observedScn);
            satellite = place(required);
        }
        return beginOnMaster(anyServes() ? OnMaster.NONE_FRESH : OnMaster.NONE_SERVES);
    }

    /** Whether the Master is the least active node: the read need not wait there, as it would on any Satellite. */
    private boolean answersSooner(long required) {
        if (policy != ReadPolicy.LEAST_ACTIVE || !session.readsFreely()) {
            return false;
        }
        Satellite.Running running = satellites.get(preferred).running();
        return running != null && running.feed().isHeldUp(required) && leastActive(required) == null;
    }

    /** Returns the time that the read may still wait for a fresh Satellite. */
    private long patience() {
        return limited ? Math.min(patienceNanos, limit - System.nanoTime()) : patienceNanos;
    }

    private boolean anyServes() {
        for (Satellite satellite : satellites) {
            if (satellite.node().serving()) {
                return true;
            }
        }
        return false;
    }

    private Replica beginOnMaster(OnMaster why) throws SQLException {
        counts.onMaster(why);
        // First, because there may be a new Master since.
        session.beforeRead(limited ? limit - System.nanoTime() : EmbeddedSession.NO_LIMIT);
        onMaster.began();
        return onMaster;
    }

    private long required() {
        WriteSetLog<Changes> log = database.log();
        Freshness chosen = session.sessionFreshness().chosen();
        if (chosen == Freshness.STRONG) {
            return Math.max(log.floor(), observedScn);
        }
        FloorHistory history = database.floors();
        long now = System.nanoTime();
        history.sample(now, log.floor());
        return Math.max(session.sessionFreshness().required(log, history, now), observedScn);
    }

    /** Waits for the change of the catalog that the session may have seen. Returns whether that change is in the log. */
    private boolean observedIsPlaced() {
        Definition seen = observed;
        if (seen == null) {
            return true;
        }
        long began = System.nanoTime();
        try {
            if (!seen.await(patience())) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            counts.waited(System.nanoTime() - began);
        }
        observedScn = seen.scn();
        observed = null;
        return true;
    }

    /**
     * Chooses a Satellite.
     *
     * @return null for the Master
     */
    private @Nullable Satellite place(long required) {
        try {
            if (policy == ReadPolicy.STICKY) {
                return sticky(required);
            }
            if (policy == ReadPolicy.ROUND_ROBIN) {
                preferred = (preferred + 1) % satellites.size();
                return sticky(required);
            }
            Satellite fresh = leastActive(required);
            return fresh != null ? fresh : sticky(required);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private @Nullable Satellite sticky(long required) throws InterruptedException {
        for (int i = 0; i < satellites.size(); i++) {
            int number = (preferred + i) % satellites.size();
            Satellite satellite = satellites.get(number);
            Satellite.Running running = satellite.running();
            if (running == null || !running.usable()) {
                continue;
            }
            preferred = number;
            if (satellite.node().covers(required)) {
                return satellite;
            }
            if (running.feed().busy()) {
                Satellite fresh = leastActive(required);
                if (fresh != null) {
                    return fresh;
                }
            }
            if (reach(running, required)) {
                return satellite;
            }
            if (!running.feed().ended()) {
                return null;
            }
        }
        return null;
    }

    private boolean reach(Satellite.Running running, long required) throws InterruptedException {
        long began = System.nanoTime();
        try {
            return running.feed().reach(required, patience());
        } finally {
            counts.waited(System.nanoTime() - began);
        }
    }

    private @Nullable Satellite leastActive(long required) {
        if (Dispatcher.place(required, ALL_DATA, database.coreNodes()) instanceof Placement.OnSatellite on) {
            for (Satellite satellite : satellites) {
                if (satellite.node() == on.node()) {
                    return satellite;
                }
            }
        }
        return null;
    }

    /**
     * Returns the session's connection to the Satellite, which is made if necessary; null if the Satellite has failed, or must
     * apply more first.
     *
     * @throws SQLException if it refuses the session's login
     */
    private @Nullable SatelliteReplica replica(Satellite satellite) throws SQLException {
        int number = satellites.indexOf(satellite);
        SatelliteReplica replica = replicas[number];
        if (replica != null && replica.usable()) {
            return replica;
        }
        if (replica != null) {
            replica.discard();
            replicas[number] = null;
        }
        Satellite.Running running = satellite.running();
        if (running == null || !running.usable()) {
            return null;
        }
        if (outdated != null) {
            // Not tried again: H2 delays the whole process for each wrong password.
            throw outdated;
        }
        long applied = satellite.node().applied();
        try {
            replica = new SatelliteReplica(this, satellite.node(), running, connect(running));
            replicas[number] = replica;
            if (closed) {
                replica.discard();
                throw RuntimeErrors.aborted();
            }
            return replica;
        } catch (SQLException e) {
            if (running.engine().engineFailed(e)) {
                running.feed().fail(e);
                return null;
            }
            if (!running.usable()) {
                // The engine was ended meanwhile.
                return null;
            }
            if (!RuntimeErrors.isLogin(e)) {
                throw e;
            }
            if (applied < letInScn) {
                // The Satellite may not have applied the creation of the user yet.
                observedScn = Math.max(observedScn, letInScn);
                return null;
            }
            outdated = e;
            throw e;
        }
    }

    private Connection connect(Satellite.Running running) throws SQLException {
        Connection connection = running.engine().connect(credentials);
        try {
            session.setUp(connection);
            if (running.engine().readsHold()) {
                // The end of a read rolls back what the session did before, so the set-up is committed here.
                connection.commit();
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            try {
                connection.close();
            } catch (SQLException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /**
     * Notes the answer of a Satellite, whose snapshot may contain everything that is being applied by now. If the Satellite was
     * made the Master meanwhile, the snapshot may contain everything committed.
     */
    void observed(SatelliteReplica replica) {
        if (session.sessionFreshness().chosen() == Freshness.STRONG) {
            return;
        }
        if (replica.usable()) {
            session.sessionFreshness().observedOnSatellite(replica.node, database.log());
        } else {
            session.sessionFreshness().observedOnMaster(database.log());
        }
    }

    /** Notes an answer of the Master, which may show a catalog that is being changed. */
    void observedDefinition() {
        Definition underWay = database.definitions().underWay();
        if (underWay != null) {
            observed = underWay;
        }
    }

    void masterReplaced() {
        onMaster = new MasterReplica(session, database.masters().node());
    }

    /** Returns the session's part on the Master. Any thread. */
    MasterSession master() {
        return session.onMaster();
    }

    /** Whether the session is being closed, perhaps by another thread than the one that reads. */
    boolean closed() {
        return closed;
    }

    void close() {
        closed = true;
        for (SatelliteReplica replica : replicas) {
            if (replica != null) {
                replica.discard();
            }
        }
        onMaster.abandon();
    }
}
