package io.multimed.bench.tpcw;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.system.Equipment;
import io.multimed.bench.system.Template;
import io.multimed.bench.tpcw.check.Before;
import io.multimed.bench.tpcw.population.Loader;
import io.multimed.bench.tpcw.population.Population;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Locale;

/**
 * The stopped cluster that holds the population.
 *
 * @param before what invariants compare with
 * @param bytes of the database
 */
record LoadedDatabase(Path data, Before before, long bytes) {
    /** PostgreSQL's snapshot isolation, the papers' and TPC-W's level 3 among its own phenomena. */
    static final String ISOLATION = "repeatable read";

    private static final double MB = 1e6;

    static LoadedDatabase load(Equipment equipment, Population population, Console console)
            throws BenchException, InterruptedException {
        long began = System.nanoTime();
        Path data = Template.initialise(equipment.workspace(), equipment.binaries(), "template");
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        LoadedDatabase database = Template.fill(equipment.workspace(), equipment.binaries(), data, ISOLATION, node -> {
            Loader loader = new Loader(
                    () -> node.open(Template.DATABASE),
                    population,
                    threads,
                    (what, done, total) -> console.progress(
                            "loading: " + what + " " + (total == 0 ? 100 : 100 * done / total) + " %"));
            loader.load();
            try (Connection connection = node.open(Template.DATABASE);
                    Statement statement = connection.createStatement();
                    ResultSet size = statement.executeQuery("SELECT pg_database_size(current_database())")) {
                size.next();
                return new LoadedDatabase(data, Before.read(connection), size.getLong(1));
            }
        });
        console.say(String.format(
                Locale.ROOT,
                "loaded %,d customers, %,d items, %,d orders: %.0f MB in %.1f s",
                database.before().customers(),
                population.scale().items(),
                database.before().orders(),
                database.bytes() / MB,
                (System.nanoTime() - began) / 1e9));
        return database;
    }
}
