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
 * Names the driver to Spring Boot where a URL is Multimed's. Spring Boot does not ask the DriverManager: of a URL that it does not
 * know it takes the driver of the embedded engine that it finds, which accepts no such URL. Neither does the engine's driver that an
 * application has named, while only its URL was changed.
 */
public final class DriverClassName implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    /** Prefixes of each data source's properties: Spring Boot's own, and those of migrations that connect by themselves. */
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

    /** After the configuration files have been read. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
