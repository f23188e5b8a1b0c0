package io.multimed.server;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.relay.Relay;
import io.multimed.engine.postgresql.relay.RelayListener;
import io.multimed.engine.postgresql.relay.RelayOptions;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.Pinning;
import io.multimed.engine.supervision.MasterSupervisor;
import io.multimed.model.plan.SystemModel;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The relay of this instance. Before it is started, calls have no effect. */
final class MasterRelay implements MasterSupervisor.RelayControl, AutoCloseable {
    /**
     * Size of the relay's buffer in bytes, half of the relay's own default: the middleware should stay small, and older log is on
     * the Master's disk.
     */
    private static final int BUFFER = 8 << 20;

    private final StartupPlan startup;
    private final Engines engines;
    private volatile @Nullable Relay relay;

    MasterRelay(StartupPlan startup, Engines engines) {
        this.startup = startup;
        this.engines = engines;
    }

    /** Starts the relay and connects it to the Master, which must be serving. */
    void start(SharedCore core, RelayListener events) throws EngineException, InterruptedException, IOException {
        Relay fresh = new Relay(
                engines.relay(),
                new RelayOptions(
                        BUFFER,
                        RelayOptions.DEFAULT.keepalive(),
                        RelayOptions.DEFAULT.silence(),
                        startup.configuration().satellites().holdVacuum()),
                core.log(),
                core.nodes().satellites(),
                events);
        relay = fresh;
        SystemModel model = startup.model();
        CoreBinding binding = model.sharing().pinned()
                ? CoreBinding.toCores(model.middleware().relayCpus().toList())
                : CoreBinding.NONE;
        try {
            // The relay's thread inherits the cores of the one that starts it.
            Pinning.callBound(binding, () -> {
                fresh.start(core.gate());
                return fresh;
            });
        } catch (ExecutionException e) {
            throw new IOException("the relay: " + e.getCause(), e);
        }
    }

    /** Requests progress reports from the Satellites. Thread-safe; does not block. */
    void requestProgress() {
        Relay running = relay;
        if (running != null) {
            running.requestProgress();
        }
    }

    @Override
    public void withdraw() throws InterruptedException {
        Relay running = relay;
        if (running != null) {
            running.withdraw();
        }
    }

    @Override
    public void resume() throws InterruptedException {
        Relay running = relay;
        if (running != null) {
            running.resume();
        }
    }

    @Override
    public void close() {
        Relay running = relay;
        if (running != null) {
            running.close();
        }
    }
}
