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
 * A place for one Satellite: the node stays, its engine comes and goes.
 *
 * <p>Only a node with an engine that is fed serves. One at a time has the turn to make an engine for it: whoever has
 * taken out the one before. With two, one would feed the node's position and the other answer its readers.
 */
final class Satellite {
    static final int NOBODYS = -1;

    private final ComputationalNode node;
    private volatile @Nullable Running running;
    /** Rises whenever the engine is taken out: whoever did it last makes the next one. Guarded by this. */
    private int turn;

    private volatile int engines;
    /** Whether the last one was made of another Satellite. */
    private volatile boolean ofSatellite;

    private volatile String detail = "not made yet";
    /** How the last engine that differed from the Master did, and when that was found; empty if none has. */
    private volatile String difference = "";
    /** Whether the engine that was taken out last differed. */
    private volatile boolean differed;

    Satellite(ComputationalNode node) {
        this.node = node;
    }

    /**
     * An engine and its feed.
     *
     * @param engine that executes reads
     * @param feed that keeps it in step
     * @param readers on it
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

    /** Changed rows that it has not applied; 0 while it has no engine. */
    long rowsBehind() {
        Running now = running;
        return now == null ? 0 : Math.max(0, now.feed().behind());
    }

    /** How many it has had. */
    int engines() {
        return engines;
    }

    /** Whether the last one was a copy of another Satellite's. */
    boolean ofSatellite() {
        return ofSatellite;
    }

    /** A few words for a person. */
    String detail() {
        String now = detail;
        return now.isEmpty() ? difference : now;
    }

    /** Whether the last engine was found to differ from the Master: then others may as well. */
    boolean differed() {
        return differed;
    }

    /**
     * The engine differs from the Master: it is taken out, and another one is made.
     *
     * @return whether it was still this one
     */
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
     * Makes an engine from an image and takes it into rotation, if it is still the caller's turn.
     *
     * @param copied whether the image is of another Satellite
     * @param mine what {@link #end} or {@link #take} has returned to the caller, 0 for the first engine
     * @param failed told when it has failed, with the turn in which it was made
     * @return whether it was; if not, somebody else has taken care of this place since
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

    /** Whether it is still the caller's turn to make an engine. */
    synchronized boolean isTurn(int mine) {
        return turn == mine;
    }

    void detail(String now) {
        detail = now;
    }

    /**
     * Takes the engine out; its readers' statements fail.
     *
     * @return the turn of the caller, who makes the next one
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
     * Takes out the engine that was made in a turn, unless somebody has done so already.
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
     * @return the turn of the caller, who makes the next one
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
