package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.writeset.WriteSetFeed;
import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The place of one Satellite. The node stays; its engines are replaced.
 *
 * <p>The node serves only while it has an engine that is fed. One thread at a time has the turn to make an engine for it: the one
 * that took out the previous engine. With two engines, one could update the node's position while the other answers its readers.
 */
final class Satellite {
    static final int NOBODYS = -1;

    private final ComputationalNode node;
    private volatile @Nullable Running running;
    /**
     * Number of the turn, which rises whenever the engine is taken out. The thread that did it last makes the next engine. Guarded
     * by this.
     */
    private int turn;

    private volatile int engines;
    /** Whether the last engine was made from another Satellite. */
    private volatile boolean ofSatellite;

    private volatile String detail = "not made yet";
    /** Description and time of the last difference from the Master; empty if there was none. */
    private volatile String difference = "";
    /** Whether the last engine taken out differed from the Master. */
    private volatile boolean differed;

    Satellite(ComputationalNode node) {
        this.node = node;
    }

    /**
     * An engine and its feed.
     *
     * @param engine the engine that executes reads
     * @param feed the feed that keeps it in step
     * @param readers the sessions' connections to it
     */
    record Running(SatelliteEngine engine, WriteSetFeed<Changes> feed, Readers readers) {
        boolean usable() {
            return !feed.ended();
        }
    }

    ComputationalNode node() {
        return node;
    }

    @Nullable
    Running running() {
        return running;
    }

    /** Returns the number of changed rows that it has not applied; 0 while it has no engine. */
    long rowsBehind() {
        Running now = running;
        return now == null ? 0 : Math.max(0, now.feed().behind());
    }

    /** Returns the number of engines that it has had. */
    int engines() {
        return engines;
    }

    /** Whether the last engine was a copy of another Satellite's. */
    boolean ofSatellite() {
        return ofSatellite;
    }

    /** Returns a few words for a person. */
    String detail() {
        String now = detail;
        return now.isEmpty() ? difference : now;
    }

    /** Whether the last engine was found to differ from the Master. Then other Satellites may differ as well. */
    boolean differed() {
        return differed;
    }

    /**
     * Takes out an engine that differs from the Master; another one is made.
     *
     * @return whether this was still the present engine
     */
    @SuppressWarnings("ReferenceEquality") // Each running engine is one object.
    boolean differs(Running engine, String where) {
        synchronized (this) {
            if (running != engine || !engine.usable()) {
                return false;
            }
            differed = true;
            difference = "made anew, since it differed from the master at "
                    + Instant.now().truncatedTo(ChronoUnit.SECONDS) + ": " + where;
        }
        engine.feed().fail(new IllegalStateException("differs from the master: " + where));
        return true;
    }

    /**
     * Makes an engine from an image and takes it into rotation, if the caller still has the turn.
     *
     * @param copied whether the image is of another Satellite
     * @param mine the turn that {@link #end} or {@link #take} has returned to the caller, 0 for the first engine
     * @param failed called when the engine has failed, with the turn in which it was made
     * @return whether the engine is in rotation; if not, another thread has taken the turn since
     */
    boolean make(
            MasterEngine.Image image,
            boolean copied,
            WriteSetLog<Changes> log,
            WriteSetFeed.Position<Changes> at,
            int mine,
            IntConsumer failed)
            throws SQLException {
        SatelliteEngine engine = image.create();
        synchronized (this) {
            if (turn == mine) {
                WriteSetFeed<Changes> feed = WriteSetFeed.start(log, at, node, engine, cause -> {
                    detail = String.valueOf(cause);
                    failed.accept(mine);
                });
                running = new Running(engine, feed, new Readers());
                engines++;
                ofSatellite = copied;
                detail = "";
                differed = false;
                node.serving(true);
                return true;
            }
        }
        engine.close();
        return false;
    }

    /** Whether the caller still has the turn to make an engine. */
    synchronized boolean isTurn(int mine) {
        return turn == mine;
    }

    void detail(String now) {
        detail = now;
    }

    /**
     * Takes the engine out; its readers' statements fail.
     *
     * @return the turn of the caller, who makes the next engine
     */
    int end() {
        Running ended;
        int mine;
        synchronized (this) {
            ended = running;
            mine = take();
        }
        close(ended);
        return mine;
    }

    /**
     * Takes out the engine that was made in a turn, unless that has been done already.
     *
     * @return the turn of the caller, or {@link #NOBODYS}
     */
    int end(int made) {
        Running ended;
        int mine;
        synchronized (this) {
            if (turn != made) {
                return NOBODYS;
            }
            ended = running;
            mine = take();
        }
        close(ended);
        return mine;
    }

    private static void close(@Nullable Running ended) {
        if (ended != null) {
            ended.engine().close();
        }
    }

    /**
     * Takes the engine out of rotation without ending it.
     *
     * @return the turn of the caller, who makes the next engine
     */
    synchronized int take() {
        Running taken = running;
        running = null;
        node.serving(false);
        if (taken != null) {
            taken.feed().close();
        }
        return ++turn;
    }
}
