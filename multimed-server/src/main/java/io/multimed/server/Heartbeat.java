package io.multimed.server;

import io.multimed.core.tasks.HeardTask;
import io.multimed.engine.supervision.MasterSupervisor;
import io.multimed.server.satellite.PartialFeeds;
import io.multimed.server.satellite.Satellites;
import io.multimed.server.status.StatusBoard;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes periodic tasks on a thread of its own: checks deadlines, checks the Master, samples the floor. */
final class Heartbeat implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
    private static final Duration BEAT = Duration.ofMillis(50);
    private static final int BEATS_PER_LOOK = 10;
    private static final long BEATS_PER_WRITING = Duration.ofMinutes(5).dividedBy(BEAT);

    private final Satellites satellites;
    private final PartialFeeds feeds;
    private final MasterSupervisor master;
    private final SharedCore core;
    private final StatusBoard board;
    private final Runnable writeReadTimes;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-timer").factory());
    /** Accessed by the timer's thread alone. */
    private long beats;

    /** @param writeReadTimes writes what reads have taken, now and then */
    Heartbeat(
            Satellites satellites,
            PartialFeeds feeds,
            MasterSupervisor master,
            SharedCore core,
            StatusBoard board,
            Runnable writeReadTimes) {
        this.satellites = satellites;
        this.feeds = feeds;
        this.master = master;
        this.core = core;
        this.board = board;
        this.writeReadTimes = writeReadTimes;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A beat logs its failure.
    void start() {
        HeardTask beat = new HeardTask(this::beat, failure -> log.error("The timer's beat failed", failure));
        timer.scheduleAtFixedRate(beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void beat() {
        long now = System.nanoTime();
        satellites.tick();
        feeds.tick();
        if (++beats % BEATS_PER_LOOK == 0) {
            master.look();
            satellites.look();
        }
        core.floorHistory().sample(now, core.log().floor());
        board.sample(now);
        if (beats % BEATS_PER_WRITING == 0) {
            writeReadTimes.run();
        }
    }

    /** Stops the beats; one that is under way may continue. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
