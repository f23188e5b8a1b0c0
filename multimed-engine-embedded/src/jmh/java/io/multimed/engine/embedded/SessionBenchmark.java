package io.multimed.engine.embedded;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a session's cost beyond its statements: placing a read; a write with one replica (nothing is captured) and with two
 * (captured and applied). The difference is the cost of capture, commit order and one Satellite.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class SessionBenchmark {
    @Param({"h2", "hsqldb"})
    private String engine;

    @Param({"1", "2"})
    private int replicas;

    private EmbeddedSession session;
    private PreparedStatement update;
    private int next;

    @Setup(Level.Trial)
    public void open() throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        session = EmbeddedDatabases.connect(
                EmbeddedOptions.of("jdbc:" + engine + ":mem:" + UUID.randomUUID(), replicas),
                credentials,
                ReplicaListener.NONE);
        OrderClient.load(session);
        update = session.master().prepareStatement("UPDATE item SET stock = stock - 1 WHERE id = ?");
    }

    @TearDown(Level.Trial)
    public void close() throws SQLException {
        session.close();
    }

    @Benchmark
    public Connection placeARead() throws SQLException {
        Replica replica = session.beginRead(true);
        Connection connection = replica.connection();
        replica.endRead();
        return connection;
    }

    @Benchmark
    public int updateOneRow() throws SQLException {
        session.beforeUpdate();
        try {
            next = (next + 1) % OrderClient.ITEMS;
            update.setInt(1, next);
            return update.executeUpdate();
        } finally {
            session.afterUpdate();
        }
    }
}
