package io.multimed.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A prepared point read on the engine alone and through the driver. The difference is the driver's cost for a statement. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // by JMH, in setup
public class WrapperBenchmark {
    private static final int ROWS = 1_000;

    @Param({"h2", "hsqldb"})
    private String engine = "h2";

    /** Number of replicas; 0 is the engine alone. */
    @Param({"0", "1", "2"})
    private int replicas;

    private Connection connection;
    private PreparedStatement read;
    private int key;

    @Setup
    public void setup() throws SQLException {
        String database = engine + ":mem:bench";
        String url = replicas == 0 ? "jdbc:" + database : "jdbc:multimed:" + database + ";replicas=" + replicas;
        connection = DriverManager.getConnection(url, "SA", "");
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE T(ID INT PRIMARY KEY, V INT)");
            for (int i = 0; i < ROWS; i++) {
                statement.execute("INSERT INTO T VALUES (" + i + ", " + i + ")");
            }
        }
        read = connection.prepareStatement("SELECT V FROM T WHERE ID = ?");
    }

    @TearDown
    public void tearDown() throws SQLException {
        connection.close();
    }

    @Benchmark
    public int pointRead() throws SQLException {
        key = key == ROWS - 1 ? 0 : key + 1;
        read.setInt(1, key);
        try (ResultSet result = read.executeQuery()) {
            result.next();
            return result.getInt(1);
        }
    }
}
