package io.multimed.jdbc.frameworks.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests a Spring Boot application with autoconfiguration, in which only the URL was changed. */
@Tag("slow")
class SpringBootTest {
    private static final String RESOURCES = "classpath:io/multimed/jdbc/frameworks/boot/";

    private static ConfigurableApplicationContext start(List<String> properties) {
        SpringApplication application = new SpringApplication(BootApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--spring.main.log-startup-info=false",
                "--spring.datasource.hikari.maximum-pool-size=3",
                "--spring.flyway.locations=" + RESOURCES + "flyway",
                "--spring.liquibase.change-log=" + RESOURCES + "changelog.sql"));
        arguments.addAll(properties);
        return application.run(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h2 | --spring.liquibase.enabled=false",
                "h2 | --spring.flyway.enabled=false --spring.datasource.driver-class-name=org.h2.Driver",
                "h2 | --spring.liquibase.enabled=false --spring.flyway.url=URL --spring.flyway.user=SA",
                "h2 | --spring.flyway.enabled=false --spring.liquibase.url=URL --spring.liquibase.user=SA",
                "hsqldb | --spring.liquibase.enabled=false --spring.datasource.driverClassName=org.hsqldb.jdbc.JDBCDriver"
            })
    void startsMigratesAndReadsOnReplicas(String engine, String properties) {
        String url = "jdbc:multimed:" + engine + ":mem:"
                + UUID.randomUUID().toString().replace("-", "") + ";replicas=2"
                + (engine.equals("h2") ? ";DB_CLOSE_DELAY=-1" : "");
        List<String> given =
                new ArrayList<>(List.of("--spring.datasource.url=" + url, "--spring.datasource.username=SA"));
        given.addAll(List.of(properties.replace("URL", url).split(" ")));
        try (ConfigurableApplicationContext context = start(given)) {
            Items items = context.getBean(Items.class);
            Item saved = items.save(new Item("bolt"));
            items.saveAll(List.of(new Item("nut"), new Item("nail")));
            assertEquals("bolt", items.findById(saved.id()).orElseThrow().name());
            assertEquals(
                    List.of("nail", "nut"),
                    items.findByNameStartingWithOrderByName("n").stream()
                            .map(Item::name)
                            .toList());
            assertEquals(3, items.count());
            DataSource source = context.getBean(DataSource.class);
            assertEquals(
                    "io.multimed.jdbc.MultimedDriver",
                    assertInstanceOf(HikariDataSource.class, source).getDriverClassName());
            JdbcTemplate jdbc = new JdbcTemplate(source);
            long served = jdbc
                    .query(
                            "SHOW MULTIMED NODES",
                            (row, number) -> row.getString("ROLE").equals("satellite") ? row.getLong("SERVED") : 0L)
                    .stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertTrue(served >= 3, "reads on satellites: " + served);
            jdbc.execute("SHUTDOWN");
        }
    }

    /** A URL of another driver is not affected. */
    @Test
    void anEngineAloneIsLeftAsItIs() {
        String url = "jdbc:h2:mem:" + UUID.randomUUID().toString().replace("-", "");
        try (ConfigurableApplicationContext context = start(List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=SA",
                "--spring.flyway.enabled=false",
                "--spring.liquibase.enabled=false"))) {
            assertEquals(0, context.getBean(Items.class).count());
            String driver = context.getBean(HikariDataSource.class).getDriverClassName();
            assertEquals("org.h2.Driver", driver);
        }
    }
}
