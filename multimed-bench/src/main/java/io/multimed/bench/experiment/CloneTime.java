package io.multimed.bench.experiment;

import io.multimed.bench.series.Episode;
import io.multimed.bench.series.Trial;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures how long the copy of a Satellite that has lost its memory takes, without other load and beside clients that only
 * buy.
 */
public final class CloneTime extends OnTpcw {
    private static final long MB = 1_000_000;

    public CloneTime(TpcwScale scale, long seed) {
        super(new Tpcw(buying("clone beside buying"), scale, seed));
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = super.parameters();
        parameters.put("estimated MB", Long.toString(estimatedBytes() / MB));
        return parameters;
    }

    @Override
    public String place() {
        return tpcw.scale().ebs() + "-ebs";
    }

    @Override
    public int copiesBeside() {
        // The Satellite is copied twice more.
        return 6;
    }

    @Override
    public Episode episode(RunningSystem system, Consumer<String> progress) {
        return new Loss(system, progress);
    }

    @Override
    public Trial trial(TpcwBefore loaded, int clients, long seed) {
        return tpcw.trial(loaded, clients, seed);
    }
}
