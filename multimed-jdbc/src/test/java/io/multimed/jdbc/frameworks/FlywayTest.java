package io.multimed.jdbc.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Tests migrations by Flyway. With H2, Flyway keeps its history's rows locked by an open transaction of one connection while it
 * defines tables in another. It gets a DataSource, because it accepts only URLs that it knows.
 */
@Tag("slow")
class FlywayTest {
    private static FluentConfiguration on(Database database) {
        return Flyway.configure()
                .dataSource(new DriverManagerDataSource(database.url(), "SA", ""))
                .locations("classpath:io/multimed/jdbc/frameworks/migrations");
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void migratesInStepsAndOnce(String of) throws SQLException {
        try (Database database = Database.open(of)) {
            assertEquals(1, on(database).target("1").load().migrate().migrationsExecuted);
            Flyway flyway = on(database).load();
            assertEquals(3, flyway.migrate().migrationsExecuted);
            assertEquals(0, flyway.migrate().migrationsExecuted);
            assertTrue(flyway.validateWithResult().validationSuccessful);
            assertEquals(4, flyway.info().applied().length);
            assertEquals(List.of("1|first|3|1|", "2|second|7|1|", "3|third|9|1|"), database.rows("SELECT * FROM item"));
            database.assertInStep("item", "author", "titles", "\"flyway_schema_history\"");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void anApplicationWorksOnWhileItIsMigrated(String of) throws Exception {
        try (Database database = Database.open(of)) {
            on(database).target("1").load().migrate();
            AtomicBoolean migrated = new AtomicBoolean();
            Thread reader = new Thread(() -> {
                try (var connection = database.connect();
                        var statement = connection.createStatement()) {
                    while (!migrated.get()) {
                        try (var rows = statement.executeQuery("SELECT COUNT(*) FROM item")) {
                            rows.next();
                        }
                    }
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            reader.start();
            try {
                on(database).load().migrate();
            } finally {
                migrated.set(true);
                reader.join();
            }
            database.assertInStep("item", "author", "titles");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void aMigrationThatFailsIsReported(String of) throws SQLException {
        try (Database database = Database.open(of)) {
            Flyway broken = on(database)
                    .locations("classpath:io/multimed/jdbc/frameworks/broken")
                    .load();
            assertThrows(FlywayException.class, broken::migrate);
            database.assertInStep("half");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void cleansTheSchema(String of) throws SQLException {
        try (Database database = Database.open(of)) {
            Flyway flyway = on(database).cleanDisabled(false).load();
            flyway.migrate();
            flyway.clean();
            assertThrows(SQLException.class, () -> database.rows("SELECT * FROM item"));
            flyway.migrate();
            database.assertInStep("item", "author", "titles");
        }
    }
}
