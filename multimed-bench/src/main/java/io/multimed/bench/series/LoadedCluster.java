package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.client.Query;
import io.multimed.bench.system.Equipment;
import io.multimed.bench.system.ServerKind;
import io.multimed.bench.system.Template;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Locale;

/**
 * The stopped cluster that holds the population.
 *
 * @param loaded the data kept about the population
 * @param bytes of the database
 */
record LoadedCluster<D>(Path data, D loaded, long bytes) {
    private static final double MB = 1e6;

    static <B, D> LoadedCluster<D> load(
            ServerKind<B> kind, Equipment<B> equipment, Benchmark<D> benchmark, Console console)
            throws BenchException, InterruptedException {
        long began = System.nanoTime();
        Path data = kind.initialise(equipment.workspace(), equipment.binaries(), "template");
        LoadedCluster<D> cluster =
                kind.fill(equipment.workspace(), equipment.binaries(), data, benchmark.isolationOfReads(), node -> {
                    D loaded = benchmark.load(
                            () -> node.open(Template.DATABASE),
                            (what, done, total) -> console.progress(
                                    "loading: " + what + " " + (total == 0 ? 100 : 100L * done / total) + " %"));
                    try (Connection connection = node.open(Template.DATABASE)) {
                        return new LoadedCluster<>(
                                data,
                                loaded,
                                Query.number(connection, node.queries().databaseBytes()));
                    }
                });
        console.say(String.format(
                Locale.ROOT,
                "loaded %s, %s: %.0f MB in %.1f s",
                benchmark.name(),
                benchmark.sizedBy(),
                cluster.bytes() / MB,
                (System.nanoTime() - began) / 1e9));
        return cluster;
    }
}
