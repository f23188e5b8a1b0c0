package io.multimed.jdbc.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sets Spring Boot's driver class where a URL is Multimed's. Spring Boot does not ask the DriverManager: for an unknown URL it
 * chooses the driver of the embedded engine that it finds, which accepts no such URL. An engine's driver that the application
 * names, when only its URL was changed, does not accept it either.
 */
public final class DriverClassName implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    /** Prefixes of each data source's properties: Spring Boot's own, and those of migration tools that connect by themselves. */
    private static final List<String> PREFIXES = List.of("spring.datasource", "spring.flyway", "spring.liquibase");

    private static final String URL = "jdbc:multimed:";
    private static final String DRIVER = "io.multimed.jdbc.MultimedDriver";

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        Map<String, Object> named = new LinkedHashMap<>();
        for (String prefix : PREFIXES) {
            String url = environment.getProperty(prefix + ".url", "");
            if (url.startsWith(URL)) {
                named.put(prefix + ".driver-class-name", DRIVER);
            }
        }
        if (!named.isEmpty()) {
            environment.getPropertySources().addFirst(new MapPropertySource("multimed", named));
        }
    }

    /** Runs after the configuration files have been read. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
