package io.multimed.jdbc.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalPropertiesReader;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the ways in which Quarkus (with its pool Agroal) and Micronaut name a driver. */
class NamedDriverTest {
    private static final String DRIVER = "io.multimed.jdbc.MultimedDriver";

    static Stream<String> replicated() {
        return Database.all().filter(of -> !of.endsWith(" 0"));
    }

    private static void use(DataSource source, Database database) throws SQLException {
        try (Connection connection = source.getConnection()) {
            io.multimed.jdbc.Sql.execute(connection, "CREATE TABLE t(a INT)", "INSERT INTO t VALUES (1)");
        }
        for (int i = 0; i < 4; i++) {
            try (Connection connection = source.getConnection()) {
                assertEquals(List.of("1|"), io.multimed.jdbc.Sql.rows(connection, "SELECT a FROM t"));
            }
        }
        assertTrue(database.servedBySatellites() > 0);
        database.assertInStep("t");
    }

    /** Quarkus passes {@code quarkus.datasource.jdbc.driver} to Agroal. */
    @ParameterizedTest
    @MethodSource("replicated")
    void agroalAsQuarkusConfiguresIt(String of) throws SQLException {
        try (Database database = Database.open(of)) {
            Map<String, String> properties = new HashMap<>(Map.of(
                    "jdbcUrl", database.url(),
                    "providerClassName", DRIVER,
                    "principal", "SA",
                    "credential", "",
                    "maxSize", "3"));
            for (boolean named : new boolean[] {true, false}) {
                if (!named) {
                    // Without a name, the DriverManager finds the driver.
                    properties.remove("providerClassName");
                }
                try (Database another = Database.open(of)) {
                    properties.put("jdbcUrl", another.url());
                    try (AgroalDataSource source =
                            AgroalDataSource.from(new AgroalPropertiesReader().readProperties(properties))) {
                        use(source, another);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("replicated")
    void micronaut(String of) throws SQLException {
        try (Database database = Database.open(of);
                ApplicationContext context = ApplicationContext.run(Map.of(
                        "datasources.default.url",
                        database.url(),
                        "datasources.default.driver-class-name",
                        DRIVER,
                        "datasources.default.username",
                        "SA",
                        "datasources.default.password",
                        "",
                        "datasources.default.maximum-pool-size",
                        3))) {
            use(context.getBean(DataSource.class), database);
        }
    }
}
