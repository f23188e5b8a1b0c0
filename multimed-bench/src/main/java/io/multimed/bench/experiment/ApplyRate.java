package io.multimed.bench.experiment;

import io.multimed.bench.series.Episode;
import io.multimed.bench.series.Trial;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** Measures how fast a Satellite replays the Master's log while clients only buy, and how it catches up after a pause. */
public final class ApplyRate extends OnTpcw {
    private final Duration pause;

    /** @param pause for which the Satellite replays nothing */
    public ApplyRate(TpcwScale scale, long seed, Duration pause) {
        super(new Tpcw(buying("apply beside buying"), scale, seed));
        this.pause = pause;
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = super.parameters();
        parameters.put("pause seconds", Long.toString(pause.toSeconds()));
        return parameters;
    }

    @Override
    public int secondsBeside() {
        // The pause, and until the Satellite has caught up.
        return 4 * (int) pause.toSeconds();
    }

    @Override
    public Episode episode(RunningSystem system, Consumer<String> progress) {
        return new Pause(system, pause, progress);
    }

    @Override
    public Trial trial(TpcwBefore loaded, int clients, long seed) {
        return tpcw.trial(loaded, clients, seed);
    }
}
