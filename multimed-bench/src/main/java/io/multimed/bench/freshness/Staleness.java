package io.multimed.bench.freshness;

import io.multimed.bench.report.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the commits that readers missed, all readers together, over a whole run. */
final class Staleness {
    private final Commits commits;
    private final LongAdder reads = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder missed = new LongAdder();
    private final LongAdder backward = new LongAdder();
    private final Times ages = new Times();

    Staleness(Commits commits) {
        this.commits = commits;
    }

    /**
     * Records that a row was read.
     *
     * @param acknowledged its last commit when the read began
     * @param began nanoseconds
     * @param seen the greatest version that this session had seen or made before
     */
    void read(int row, long version, long acknowledged, long began, long seen) {
        reads.increment();
        if (version < acknowledged) {
            stale.increment();
            missed.add(acknowledged - version);
            ages.add(began - commits.time(row, version + 1));
        }
        if (version < seen) {
            backward.increment();
        }
    }

    long stale() {
        return stale.sum();
    }

    long backward() {
        return backward.sum();
    }

    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(ages.figures("age of what was missed"));
        figures.add(new Figure("stale reads", "%", percent(stale())));
        figures.add(new Figure("reads behind their session", "%", percent(backward())));
        if (stale() > 0) {
            figures.add(new Figure("commits missed by a stale read", "mean", (double) missed.sum() / stale()));
        }
        return figures;
    }

    private double percent(long part) {
        return reads.sum() == 0 ? 0 : 100.0 * part / reads.sum();
    }
}
