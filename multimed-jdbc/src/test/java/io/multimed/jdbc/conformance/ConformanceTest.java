package io.multimed.jdbc.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that JDBC as applications use it gives the same results and errors through Multimed as on the engine alone. */
@Tag("slow")
class ConformanceTest {
    static Stream<Arguments> runs() {
        return Stream.of("h2,1", "h2,3", "hsqldb,1", "hsqldb,3")
                .flatMap(engine -> Scenarios.all().keySet().stream()
                        .map(scenario ->
                                Arguments.of(engine.split(",")[0], Integer.parseInt(engine.split(",")[1]), scenario)));
    }

    @ParameterizedTest(name = "{0}, {1} replicas: {2}")
    @MethodSource("runs")
    void answersAsTheEngineAlone(String engine, int replicas, String scenario) throws Exception {
        String database = engine + ":mem:" + UUID.randomUUID().toString().replace("-", "");
        Log alone = run("jdbc:" + database + "a", scenario);
        Log through = run("jdbc:multimed:" + database + ";replicas=" + replicas, scenario);
        assertEquals(alone.toString(), through.toString());
    }

    static Log run(String url, String name) throws Exception {
        Scenario scenario = Scenarios.all().get(name);
        Log log = new Log();
        Connection connection = DriverManager.getConnection(url, "SA", "");
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE T(ID INT PRIMARY KEY, NAME VARCHAR(40), AMOUNT DECIMAL(10, 2))");
            scenario.run(connection, log);
        }
        log.add("closed", connection.isClosed());
        log.step("use of a closed connection", connection::createStatement);
        log.step("commit of a closed connection", () -> {
            connection.commit();
            return "done";
        });
        log.add("valid", connection.isValid(1));
        if (engine(url).equals("hsqldb")) {
            try (Connection last = DriverManager.getConnection(url, "SA", "");
                    Statement statement = last.createStatement()) {
                statement.execute("SHUTDOWN");
            }
        }
        return log;
    }

    private static String engine(String url) {
        return url.contains("hsqldb") ? "hsqldb" : "h2";
    }
}
