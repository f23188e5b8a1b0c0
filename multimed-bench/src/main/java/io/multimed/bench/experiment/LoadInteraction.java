package io.multimed.bench.experiment;

import io.multimed.bench.series.Trial;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import java.util.List;
import java.util.Map;

/** Cost of clients with heavy queries, BESS and SRES, to clients beside them with short ones: HOME, PROD and SREQ. */
public final class LoadInteraction extends OnTpcw {
    private static final TpcwWorkload SHORT =
            TpcwWorkload.cycle("load interaction", List.of(Interaction.HOME, Interaction.PROD, Interaction.SREQ));
    private static final TpcwWorkload HEAVY = TpcwWorkload.cycle("heavy", List.of(Interaction.BESS, Interaction.SRES));

    private final int heavy;

    /** @param heavy clients, beside those with short interactions */
    public LoadInteraction(TpcwScale scale, long seed, int heavy) {
        // The frequencies result from the systems' speeds, so none are stated.
        super(new Tpcw(new TpcwWorkload(SHORT.text(), SHORT.chain(), Map.of()), scale, seed));
        this.heavy = heavy;
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = super.parameters();
        parameters.put("heavy clients", Integer.toString(heavy));
        return parameters;
    }

    @Override
    public int atWork(int clients) {
        return clients + heavy;
    }

    @Override
    public String place() {
        return heavy + "-heavy";
    }

    @Override
    public Trial trial(TpcwBefore loaded, int clients, long seed) {
        return tpcw.trial(loaded, atWork(clients), seed, number -> number <= clients ? SHORT.chain() : HEAVY.chain());
    }
}
