package io.multimed.bench.experiment;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.Before;
import java.sql.SQLException;
import java.util.Map;

/** An experiment on TPC-W's population, by clients that do TPC-W's interactions. */
abstract class OnTpcw implements Benchmark<Before> {
    final Tpcw tpcw;

    OnTpcw(Tpcw tpcw) {
        this.tpcw = tpcw;
    }

    @Override
    public String name() {
        return tpcw.name();
    }

    @Override
    public String operations() {
        return tpcw.operations();
    }

    @Override
    public Map<String, String> parameters() {
        return tpcw.parameters();
    }

    @Override
    public long estimatedBytes() {
        return tpcw.estimatedBytes();
    }

    @Override
    public String sizedBy() {
        return tpcw.sizedBy();
    }

    @Override
    public Before load(Connector database, LoadProgress progress) throws SQLException, InterruptedException {
        return tpcw.load(database, progress);
    }

    @Override
    public String summary(Before loaded) {
        return tpcw.summary(loaded);
    }
}
