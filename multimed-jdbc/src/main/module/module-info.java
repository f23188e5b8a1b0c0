/**
 * The JDBC driver {@code jdbc:multimed:}. Applications use {@code java.sql}. Exported are the driver and its data sources, and the
 * types for describing an engine.
 */
module io.multimed.jdbc {
    requires transitive java.sql;
    requires transitive java.management;
    requires java.naming;
    requires static org.jspecify;
    // The application brings the engine that it embeds, or the driver for the server's protocol.
    requires static com.h2database;
    requires static org.hsqldb;
    requires static org.postgresql.jdbc;
    // Spring Boot loads one class, if Spring Boot is there.
    requires static spring.boot;
    requires static spring.context;
    requires static spring.core;

    exports io.multimed.jdbc;
    exports io.multimed.jdbc.engine;

    opens io.multimed.jdbc.spring;

    uses io.multimed.jdbc.engine.JdbcEngine;

    provides java.sql.Driver with
            io.multimed.jdbc.MultimedDriver;
}
