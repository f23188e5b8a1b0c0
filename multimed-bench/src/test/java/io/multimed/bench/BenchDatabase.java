package io.multimed.bench;

import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Parallel;
import io.multimed.bench.system.Carried;
import io.multimed.bench.system.Equipment;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.SystemUnderTest;
import io.multimed.bench.system.Systems;
import io.multimed.bench.system.Template;
import io.multimed.bench.system.Workspace;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwPopulation;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.core.spi.CopyProgress;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/** A loaded database of the smallest scale, served by one PostgreSQL. */
public final class BenchDatabase implements AutoCloseable {
    public static final TpcwScale SCALE = new TpcwScale(1, 1_000);
    public static final LocalDate DAY = LocalDate.of(2026, 1, 31);
    public static final int CLIENTS = 24;

    private final Workspace workspace;
    private final RunningSystem system;
    public final TpcwBefore before;

    public BenchDatabase() throws Exception {
        workspace = Workspace.create(Path.of(System.getProperty("java.io.tmpdir")), "postgres");
        try {
            EngineBinaries binaries = EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), CopyProgress.SILENT);
            Path data = Template.initialise(workspace, binaries, "template");
            before = Template.fill(workspace, binaries, data, "repeatable read", node -> {
                new TpcwPopulation(SCALE, 1, DAY)
                        .load(
                                new Parallel(() -> node.open(Template.DATABASE), 2, (what, done, total) -> {}),
                                BenchmarkDialect.POSTGRESQL);
                try (Connection connection = node.open(Template.DATABASE)) {
                    return TpcwBefore.read(connection);
                }
            });
            Equipment<EngineBinaries> equipment =
                    new Equipment<>(workspace, binaries, CLIENTS, 512L << 20, List.of(), List.of());
            SystemUnderTest standalone =
                    Systems.of("standalone", equipment, new Systems.Options(0, 2, Map.of(), Carried.NOTHING, 0));
            system = standalone.start(data, workspace.directory("run"));
            try (Connection connection = open();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "INSERT INTO shopping_cart SELECT id, now() FROM generate_series(1, " + CLIENTS + ") id");
            }
        } catch (Exception e) {
            workspace.close();
            throw e;
        }
    }

    /** Opens a connection like a client's, in auto-commit. */
    public Connection open() throws SQLException {
        return java.sql.DriverManager.getConnection(url());
    }

    /** Opens a connection like the harness's own, on the engine's private socket. */
    public Connection openPrivately() throws SQLException {
        return node().open(Template.DATABASE);
    }

    /** Returns the engine. */
    public Node node() {
        return system.nodes().getFirst();
    }

    public String url() {
        return system.address().url(Template.DATABASE);
    }

    @Override
    public void close() throws BenchException {
        try {
            system.close();
        } finally {
            workspace.close();
        }
    }
}
