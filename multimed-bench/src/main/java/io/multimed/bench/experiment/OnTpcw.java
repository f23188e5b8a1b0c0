package io.multimed.bench.experiment;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** An experiment on TPC-W's population, by clients that do TPC-W's interactions. */
abstract class OnTpcw implements Benchmark<TpcwBefore> {
    final Tpcw tpcw;

    OnTpcw(Tpcw tpcw) {
        this.tpcw = tpcw;
    }

    /** Returns a workload of purchases alone, every interaction an update: a cart, the buyer, the order. */
    static TpcwWorkload buying(String text) {
        return TpcwWorkload.cycle(text, List.of(Interaction.SHOP, Interaction.BUYR, Interaction.BUYC));
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
    public String isolationOfReads() {
        return tpcw.isolationOfReads();
    }

    @Override
    public String isolation() {
        return tpcw.isolation();
    }

    @Override
    public String sizedBy() {
        return tpcw.sizedBy();
    }

    @Override
    public TpcwBefore load(Connector database, LoadProgress progress) throws SQLException, InterruptedException {
        return tpcw.load(database, progress);
    }

    @Override
    public String summary(TpcwBefore loaded) {
        return tpcw.summary(loaded);
    }
}
