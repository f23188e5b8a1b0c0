package io.multimed.bench;

import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Parallel;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwPopulation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** The database of {@link BenchDatabase} in an engine inside this JVM. */
public final class EmbeddedBenchDatabase implements AutoCloseable {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    public final BenchmarkDialect dialect;
    public final TpcwBefore before;
    private final String url;
    private final Connection keeper;

    /** @param replicas behind {@code jdbc:multimed:}; 0 for the engine alone */
    public EmbeddedBenchDatabase(BenchmarkDialect dialect, int replicas) throws Exception {
        this.dialect = dialect;
        String name = "mem:tpcw" + DATABASES.incrementAndGet();
        String rest = dialect == BenchmarkDialect.H2
                ? "h2:" + name + ";LOCK_TIMEOUT=10000"
                : "hsqldb:" + name + ";hsqldb.tx=mvcc";
        this.url = replicas == 0 ? "jdbc:" + rest : "jdbc:multimed:" + rest + ";replicas=" + replicas;
        this.keeper = open();
        new TpcwPopulation(BenchDatabase.SCALE, 1, BenchDatabase.DAY)
                .load(new Parallel(this::open, 1, (what, done, total) -> {}), dialect);
        before = TpcwBefore.read(keeper);
        try (PreparedStatement carts = keeper.prepareStatement(
                "INSERT INTO shopping_cart SELECT id, CAST(? AS timestamp) FROM " + dialect.numbers())) {
            carts.setTimestamp(1, Timestamp.from(Instant.now()));
            carts.setInt(2, BenchDatabase.CLIENTS);
            carts.executeUpdate();
        }
    }

    /** Opens a connection like a client's, in auto-commit. */
    public Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url, "SA", "");
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return connection;
    }

    @Override
    public void close() throws SQLException {
        keeper.close();
    }
}
