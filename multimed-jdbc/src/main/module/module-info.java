/**
 * The JDBC driver {@code jdbc:multimed:}. Applications use {@code java.sql}; exported are the driver and its data sources, and what an
 * engine is described with.
 */
module io.multimed.jdbc {
    requires transitive java.sql;
    requires transitive java.management;
    requires java.naming;
    requires static org.jspecify;
    // The application brings the engine that it embeds, or the driver of the server's protocol.
    requires static com.h2database;
    requires static org.hsqldb;
    requires static org.postgresql.jdbc;
    // Spring Boot loads one class, if it is there.
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
