package io.multimed.server.satellite;

import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.server.config.PartialSatellite;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A partial Satellite: its engine, and the feed that brings it write sets. What it has cannot be resumed, so that every failure leads to
 * a new copy.
 *
 * <p>Called by the Satellite's worker, and by any thread as {@link SatelliteControl} says.
 */
final class PartialControl implements SatelliteControl {
    private final FallbackControl<PartialCluster> engine;
    private final PartialFeed feed;
    private final PartialSatellite satellite;
    private final PartialContents contents;
    /**
     * Gives the running engine up; null when none runs, or when it has been called. A loss before is noticed when the feed begins, or
     * by its first group.
     */
    private final AtomicReference<@Nullable Consumer<String>> onLost = new AtomicReference<>();

    /** Whether the last copy was refused before anything was copied, as for a table that does not exist. */
    private volatile boolean refused;

    private @Nullable SatelliteSupervisor supervisor;

    PartialControl(
            FallbackControl<PartialCluster> engine,
            PartialFeed feed,
            PartialSatellite satellite,
            PartialContents contents) {
        this.engine = engine;
        this.feed = feed;
        this.satellite = satellite;
        this.contents = contents;
    }

    /** Sets the supervisor that hears of the feed; before anything is started. */
    void tell(SatelliteSupervisor heard) {
        supervisor = heard;
    }

    /** Has a Satellite whose copy was refused try again at once. Any thread; returns at once. */
    void tryAgainIfRefused() {
        if (refused) {
            supervisor().tryNow();
        }
    }

    private SatelliteSupervisor supervisor() {
        SatelliteSupervisor told = supervisor;
        if (told == null) {
            throw new IllegalStateException("nobody supervises it");
        }
        return told;
    }

    @Override
    public boolean hasData() throws InterruptedException {
        return engine.hasData();
    }

    @Override
    public void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException {
        boolean complete = false;
        refused = true;
        try {
            List<String> tables = contents.choose(satellite);
            feed.prepare(tables, this::lost);
            engine.copyFromMaster((copied, total) -> {
                refused = false;
                progress.copied(copied, total);
            });
            refused = false;
            // From the copy's position on, the watch notices every change.
            if (!contents.choose(satellite).equals(tables)) {
                throw new EngineException(
                        "The tables of the queries of " + satellite.id() + " changed during the copy.");
            }
            complete = true;
        } finally {
            if (!complete) {
                feed.end();
            }
        }
    }

    @Override
    public void start(Runnable onExit) throws EngineException, InterruptedException {
        boolean complete = false;
        try {
            engine.start(onExit);
            onLost.set(reason -> {
                supervisor().unresponsive(reason);
                // Without effect unless the start is not complete yet.
                onExit.run();
            });
            feed.begin(engine.current(), supervisor()::feedConnected, this::lost);
            complete = true;
        } finally {
            if (!complete) {
                kill();
            }
        }
    }

    /** Gives the present attempt up. Any thread; returns at once. */
    private void lost(String reason) {
        Consumer<String> heard = onLost.getAndSet(null);
        if (heard != null) {
            heard.accept(reason);
        }
    }

    @Override
    public boolean frozen() {
        return engine.frozen();
    }

    @Override
    public void stop(Duration grace) throws InterruptedException {
        onLost.set(null);
        feed.end();
        engine.stop(grace);
    }

    @Override
    public void kill() {
        onLost.set(null);
        engine.kill();
        feed.end();
    }
}
