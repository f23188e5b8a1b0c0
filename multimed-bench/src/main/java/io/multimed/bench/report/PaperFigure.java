package io.multimed.bench.report;

import io.multimed.bench.measure.Measured;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/**
 * A figure of one of the papers, and the runs that correspond to it.
 *
 * @param shows its subject
 * @param stated the paper's value in its own text; most of its curves carry no number
 * @param ours the runs of the subject
 * @param against the runs that they are compared with, pair by pair; the same ones for a comparison along an axis
 * @param comparison the kind of comparison
 * @param value of a run
 */
record PaperFigure(
        String figure,
        String shows,
        String stated,
        Side ours,
        Side against,
        Comparison comparison,
        ToDoubleFunction<Run> value) {
    /** The ways to compare runs. */
    enum Comparison {
        /** The ratio at the same place, one for each place that was run. */
        SAME_PLACE,
        /** The ratio of the most processors to the fewest. */
        ALONG_PROCESSORS,
        /** The ratio of the most processors to the number that suits the other side best. */
        BEST_PROCESSORS,
        /** Milliseconds instead of a ratio. */
        MILLIS
    }

    /** A choice of runs by the names of benchmark and system. */
    record Side(Pattern benchmark, String system) {
        boolean has(Run run) {
            return run.valid()
                    && run.system().equals(system)
                    && benchmark.matcher(run.benchmark()).matches();
        }
    }

    private static final Pattern ANY_TPCC = Pattern.compile("tpcc .*");
    private static final String FIGURES = "Multimed, figure";
    private static final String BROWSING = "tpcw browsing";
    private static final String SHOPPING = "tpcw shopping";
    private static final String NO_NUMBER = "a curve without numbers";
    private static final String ONE = "standalone";
    private static final String MULTIMED = "multimed";

    static final List<PaperFigure> ALL = List.of(
            along(FIGURES + " 1a", "one PostgreSQL, browsing, by cores", NO_NUMBER, BROWSING, ONE),
            ratio(
                    FIGURES + " 1b",
                    "one PostgreSQL, browsing without Best Sellers against all of it",
                    "almost 5",
                    side(BROWSING + " without BESS", ONE),
                    side(BROWSING, ONE)),
            along(
                    FIGURES + " 1b",
                    "one PostgreSQL, browsing without Best Sellers, by cores",
                    "rises with cores",
                    BROWSING + " without BESS",
                    ONE),
            new PaperFigure(
                    FIGURES + "s 1d, e",
                    "one PostgreSQL, context switches of a transaction, browsing against it without Best Sellers",
                    "cache misses and waits for spin locks rise only with them",
                    side(BROWSING, ONE),
                    side(BROWSING + " without BESS", ONE),
                    Comparison.SAME_PLACE,
                    PaperFigure::switches),
            millis(FIGURES + " 1c", "one PostgreSQL, Best Sellers alone", "less than 80 ms", "tpcw only BESS", ONE),
            along(FIGURES + " 3a", "Multimed, browsing, by cores", "near linear to 40 cores", BROWSING, MULTIMED),
            ratio(
                    FIGURES + "s 3a-d",
                    "browsing, Multimed against one PostgreSQL",
                    NO_NUMBER,
                    side(BROWSING, MULTIMED),
                    side(BROWSING, ONE)),
            ratio(
                    FIGURES + "s 3b, c",
                    "browsing, Satellites in memory (C1) against Satellites on disk (C0)",
                    "more by over 1000 interactions/s",
                    side(BROWSING, MULTIMED),
                    side(BROWSING, "multimed-c0")),
            millis(FIGURES + "s 3b, c", "Multimed, browsing", "less than 1 s", BROWSING, MULTIMED),
            best("3b, c", BROWSING, "PostgreSQL is worse on 48 cores than on 12"),
            along(FIGURES + " 4a", "Multimed, shopping, by cores", "flat from 16 cores on", SHOPPING, MULTIMED),
            ratio(
                    FIGURES + "s 4a-d",
                    "shopping, Multimed against one PostgreSQL",
                    NO_NUMBER,
                    side(SHOPPING, MULTIMED),
                    side(SHOPPING, ONE)),
            best("4b, c", SHOPPING, NO_NUMBER),
            ratio(
                    FIGURES + "s 4b, c",
                    "shopping, Satellites on disk (C0) against one PostgreSQL",
                    "loses with few clients",
                    side(SHOPPING, "multimed-c0"),
                    side(SHOPPING, ONE)),
            ratio(
                    "Multimed, section 5.2",
                    "ordering, Multimed against one PostgreSQL",
                    "similar",
                    side("tpcw ordering", MULTIMED),
                    side("tpcw ordering", ONE)),
            replicas("figures 4a, b", "hsqldb", 1, "8-92", "0.92 or more"),
            replicas("figures 4a, b", "h2", 1, "8-92", "0.92 or more"),
            replicas("figures 4a, b", "hsqldb", 3, "8-92", "0.86 to 0.95"),
            replicas("figures 4a, b", "h2", 3, "8-92", "0.86 to 0.95"),
            replicas("figure 4c", "hsqldb", 3, "50-50", "up to 1.40"),
            replicas("figure 4d", "h2", 3, "50-50", "up to 1.70"),
            replicas("figure 5a", "hsqldb", 3, "80-20", "up to 1.93"),
            replicas("figure 5b", "h2", 3, "80-20", "up to 2.65"),
            replicas("figure 5c", "hsqldb", 3, "100-0", "up to 2.66"),
            replicas("figure 5d", "h2", 3, "100-0", "up to 2.76"),
            replicas("figure 6", "hsqldb", 6, "100-0", "up to 3.34"),
            memory("h2", 2, "1.53"),
            memory("h2", 3, "1.56"),
            memory("h2", 4, "1.76"),
            memory("hsqldb", 2, "1.64"),
            memory("hsqldb", 3, "2.29"),
            memory("hsqldb", 4, "2.56"),
            heap("h2", 2, "1.53"),
            heap("h2", 3, "1.56"),
            heap("h2", 4, "1.76"),
            heap("hsqldb", 2, "1.64"),
            heap("hsqldb", 3, "2.29"),
            heap("hsqldb", 4, "2.56"),
            shop(BROWSING, "1.75, from 261.6 to 458.4 interactions/s"),
            shop(SHOPPING, "2.12, from 202 to 428.6 interactions/s"));

    private static Side side(String benchmark, String system) {
        return new Side(Pattern.compile(Pattern.quote(benchmark)), system);
    }

    private static PaperFigure ratio(String figure, String shows, String stated, Side ours, Side against) {
        return new PaperFigure(
                figure,
                shows,
                stated,
                ours,
                against,
                Comparison.SAME_PLACE,
                run -> run.measured().perSecond());
    }

    private static PaperFigure along(String figure, String shows, String stated, String benchmark, String system) {
        Side same = side(benchmark, system);
        return new PaperFigure(
                figure,
                shows,
                stated,
                same,
                same,
                Comparison.ALONG_PROCESSORS,
                run -> run.measured().perSecond());
    }

    /** Returns a figure whose baseline may have fewer cores, since more cores slow it down. */
    private static PaperFigure best(String figures, String benchmark, String stated) {
        return new PaperFigure(
                FIGURES + "s " + figures,
                benchmark.substring("tpcw ".length())
                        + ", Multimed on all processors against one PostgreSQL on as many as suit it best",
                stated,
                side(benchmark, MULTIMED),
                side(benchmark, ONE),
                Comparison.BEST_PROCESSORS,
                run -> run.measured().perSecond());
    }

    /**
     * Returns the context switches of a database transaction, in all processes of a system; NaN where they were not counted.
     */
    private static double switches(Run run) {
        Measured measured = run.measured();
        return measured.contextSwitches().isEmpty()
                ? Double.NaN
                : measured.contextSwitches().entrySet().stream()
                                .filter(process -> !process.getKey().equals(Measured.LOAD_GENERATOR))
                                .mapToDouble(process -> process.getValue().all())
                                .sum()
                        / measured.transactions();
    }

    private static PaperFigure millis(String figure, String shows, String stated, String benchmark, String system) {
        Side same = side(benchmark, system);
        return new PaperFigure(
                figure,
                shows + ": mean latency",
                stated,
                same,
                same,
                Comparison.MILLIS,
                run -> run.measured().all().mean());
    }

    private static PaperFigure replicas(String figure, String engine, int replicas, String mix, String stated) {
        return ratio(
                "MacroDB, " + figure,
                "TPC-C " + mix + ", " + replicas + " of " + engine + " against it alone",
                stated,
                side("tpcc " + mix, replicated(engine, replicas)),
                side("tpcc " + mix, engine));
    }

    /** Returns a figure of TPC-W, which the paper runs on three replicas of H2 alone. */
    private static PaperFigure shop(String benchmark, String stated) {
        return ratio(
                "MacroDB, figure 8",
                benchmark.replace("tpcw", "TPC-W") + ", 3 of h2 against it alone",
                stated,
                side(benchmark, replicated("h2", 3)),
                side(benchmark, "h2"));
    }

    private static PaperFigure memory(String engine, int replicas, String stated) {
        return new PaperFigure(
                "MacroDB, figure 7",
                "memory of the process, " + replicas + " of " + engine + " against it alone",
                stated,
                new Side(ANY_TPCC, replicated(engine, replicas)),
                new Side(ANY_TPCC, engine),
                Comparison.SAME_PLACE,
                run -> run.measured().memoryBytes().values().stream()
                        .mapToDouble(bytes -> bytes)
                        .sum());
    }

    /** Returns a figure of the heap without garbage, which is most of the memory of a process that has just worked. */
    private static PaperFigure heap(String engine, int replicas, String stated) {
        return new PaperFigure(
                "MacroDB, figure 7",
                "live heap, " + replicas + " of " + engine + " against it alone",
                stated,
                new Side(ANY_TPCC, replicated(engine, replicas)),
                new Side(ANY_TPCC, engine),
                Comparison.SAME_PLACE,
                run -> run.figure(Figure.LIVE_HEAP));
    }

    private static String replicated(String engine, int replicas) {
        return "multimed-" + engine + "-" + replicas;
    }
}
