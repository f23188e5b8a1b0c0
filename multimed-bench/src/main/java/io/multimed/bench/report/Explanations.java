package io.multimed.bench.report;

/** Explanations of each benchmark and its figures, for readers who have not read about it elsewhere. */
final class Explanations {
    private Explanations() {}

    /** Returns a paragraph; empty for unknown benchmarks. */
    static String of(Run run) {
        return switch (run.benchmark()) {
            case "freshness" ->
                "Clients update a row of their own and read anybody's. Strong freshness shows every commit that was"
                        + " acknowledged before the read began, session freshness those that the session made or saw, eventual"
                        + " freshness may lag. Reader waited: for a Satellite to be fresh, of the reads that had to. Commit"
                        + " visible after: from its acknowledgement to its being seen on the Satellite, the query that looks"
                        + " included. Stale reads missed a commit that was acknowledged before they began; age of what was"
                        + " missed: for how long it had been. Reads behind their session showed less than it had seen before.";
            case "tpcw clone beside buying" ->
                "A Satellite loses its files and its engine. Copied and caught up: from the beginning of the new copy until"
                        + " it serves again, first beside nothing (idle), then beside TPC-W's purchases; interactions lost: how"
                        + " many per cent fewer these complete meanwhile.";
            case "tpcw load interaction" ->
                "Some clients ask for short interactions (Home, Product Detail, Search Request), others for heavy ones (Best"
                        + " Sellers, Search Results): what the heavy ones cost the short ones, as the EuroSys paper asks."
                        + " Latencies are those of the short ones.";
            case "tpcw catch up" ->
                "The process that applies on a copy is stopped, the Master executes transactions of an order, its lines and an"
                        + " item, and the process goes on: how many of them the copy then applies a second. Commit visible after:"
                        + " from a single commit's acknowledgement to its being seen on the copy beside no load, the query that"
                        + " looks included.";
            case "indexed inserts" ->
                "Clients insert rows into a table with eight secondary indexes, and read by these. With multimed-c2 the indexes"
                        + " exist on a partial Satellite alone, which executes the reads; elsewhere every engine has them all.";
            case "tpcw short beside best sellers" ->
                "Some clients ask for Home, Product Detail, Search Request and Shopping Cart in turn, the last of which updates"
                        + " tables that Best Sellers does not read; others ask for Best Sellers (the heavy interactions) again"
                        + " and again. Latencies are those of the short reads.";
            default -> mixes(run);
        };
    }

    private static String mixes(Run run) {
        if (run.benchmark().startsWith("tpcw ")) {
            return "TPC-W at database level: no web server and no think time, so that clients are always at work; what only"
                    + " reads may run on Satellites."
                    + insideJvm(run);
        }
        if (run.benchmark().startsWith("tpcc ")) {
            return "TPC-C at database level, with "
                    + run.benchmark().substring("tpcc ".length()).replace("-", " % reads and ")
                    + " % updates; no terminals, keying or think time, so that a result is no tpmC."
                    + insideJvm(run);
        }
        return "";
    }

    /** Returns the explanation of runs inside a JVM; empty for other runs. */
    private static String insideJvm(Run run) {
        return Places.engine(run).isEmpty()
                ? ""
                : " Engines and clients share one JVM. A system such as multimed-h2-3 is 3 engines behind jdbc:multimed:, Master"
                        + " included. Live heap: the memory that engines and harness hold once the database is loaded, after a full"
                        + " collection.";
    }
}
