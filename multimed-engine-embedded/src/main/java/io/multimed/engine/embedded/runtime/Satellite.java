package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.writeset.WriteSetFeed;
import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A place for one Satellite: the node stays, its engine comes and goes.
 *
 * <p>Only a node with an engine that is fed serves; whoever fails it first is the one who has it made anew.
 */
final class Satellite {
    private final ComputationalNode node;
    private volatile @Nullable Running running;
    private volatile String detail = "not made yet";

    Satellite(ComputationalNode node) {
        this.node = node;
    }

    /**
     * An engine and its feed.
     *
     * @param engine that executes reads
     * @param feed that keeps it in step
     */
    record Running(SatelliteEngine engine, WriteSetFeed<Changes> feed) {
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

    /** A few words for a person. */
    String detail() {
        return detail;
    }

    /**
     * Makes an engine from an image and takes it into rotation.
     *
     * @param failed told when it has failed
     */
    void make(MasterEngine.Image image, WriteSetLog<Changes> log, WriteSetFeed.Position<Changes> at, Runnable failed)
            throws SQLException {
        SatelliteEngine engine = image.create();
        WriteSetFeed<Changes> feed = WriteSetFeed.start(log, at, node, engine, cause -> {
            detail = String.valueOf(cause);
            failed.run();
        });
        running = new Running(engine, feed);
        detail = "";
        node.serving(true);
    }

    void detail(String now) {
        detail = now;
    }

    /** Takes the engine out; its readers' statements fail. Idempotent. */
    void end() {
        Running ended = take();
        if (ended != null) {
            ended.engine().close();
        }
    }

    /** Takes the engine out of rotation without ending it. */
    @Nullable
    Running take() {
        Running taken = running;
        running = null;
        node.serving(false);
        if (taken != null) {
            taken.feed().close();
        }
        return taken;
    }
}
