package io.multimed.jdbc.url;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.jdbc.backend.InProcessEngine;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.sql.Dialect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** Parses the URL of replicas in this process. */
final class EmbeddedUrlParser {
    private EmbeddedUrlParser() {}

    static MultimedUrl parse(String url, String rest, Properties given) throws SQLException {
        int colon = rest.indexOf(':');
        if (colon <= 0) {
            throw Errors.cannotConnect("The URL names no engine: write jdbc:multimed:h2:mem:shop, or"
                    + " jdbc:multimed://host:port/database for a Multimed server.");
        }
        String name = rest.substring(0, colon).toLowerCase(Locale.ROOT);
        InProcessEngine engine = EngineLookup.named(name);
        if (engine == null) {
            throw Errors.cannotConnect("Multimed knows no engine \"" + name + "\": it runs h2 and hsqldb, and with"
                    + " propagation=statements derby, sqlite and what a class on the class path describes"
                    + " (io.multimed.jdbc.engine.JdbcEngine; docs/jdbc.md says how to add an engine); connect to any other by"
                    + " its own driver, or to PostgreSQL by a Multimed server, jdbc:multimed://host:port/database.");
        }
        Properties credentials = new Properties();
        OwnOptions own = OwnOptions.of(given, credentials);
        List<String> written = new ArrayList<>(parts(rest));
        String named = written.remove(0);
        List<String> parts = own.takeFrom(written);
        new MisplacedOptions("jdbc:" + named, ";").check(named, written, credentials);
        String database = UrlSecrets.takePasswords(named, credentials);
        parts.removeIf(part -> takeCredential(part, credentials));
        checkPropagation(engine, own);
        int replicas = OptionValues.replicas(own.get("replicas"));
        List<String> initial =
                engine.dialect() == Dialect.H2 && replicas > 1 ? InitialStatements.take(parts, credentials) : List.of();
        parts.add(0, database);
        String engineUrl = "jdbc:" + String.join(";", parts);
        refuseOtherProcesses(engine, engineUrl);
        EmbeddedOptions options = new EmbeddedOptions(
                engineUrl,
                replicas,
                OptionValues.policy(own.get("policy")),
                OptionValues.freshness(own.get("freshness", "strong")),
                OptionValues.patience(own.get("patience")),
                OptionValues.compare(own.get("comparison")));
        return new MultimedUrl.Embedded(
                UrlSecrets.withoutSecrets(url), engine, options, OptionValues.onMaster(own), credentials, initial);
    }

    /**
     * Splits the URL at semicolons. A backslash escapes a semicolon in H2; no other engine has a backslash in front of a
     * semicolon.
     */
    static List<String> parts(String rest) {
        return List.of(rest.split("(?<!\\\\);"));
    }

    /**
     * Checks the option propagation. Executing statements again refuses some statements, so it must be requested explicitly, and
     * it is not available where rows are captured.
     */
    private static void checkPropagation(InProcessEngine engine, OwnOptions own) throws SQLException {
        String propagation = own.get("propagation");
        boolean repeats = !engine.capturesRows();
        if (propagation != null && !(repeats && propagation.equalsIgnoreCase("statements"))) {
            throw Errors.notSupported("propagation=" + propagation + " is no choice for " + engine.name() + ": what a"
                    + " transaction changed reaches satellites as "
                    + (repeats ? "statements; write propagation=statements." : "rows. Leave the option out."));
        }
        if (propagation == null && repeats && !"1".equals(own.get("replicas"))) {
            throw Errors.notSupported("What a transaction of " + engine.name() + " changed is not known as rows: add"
                    + " propagation=statements, with which satellites execute its statements again and those that might"
                    + " not mean the same there are refused; or use replicas=1.");
        }
    }

    /**
     * Moves user and password to the credentials of this connection. The rest of the URL belongs to the database and is the same
     * for all connections.
     */
    private static boolean takeCredential(String option, Properties credentials) {
        int equals = option.indexOf('=');
        String name = equals <= 0 ? "" : option.substring(0, equals).trim().toLowerCase(Locale.ROOT);
        if (!name.equals("user") && !name.equals("password")) {
            return false;
        }
        credentials.putIfAbsent(name, option.substring(equals + 1));
        return true;
    }

    /** Refuses an engine in another process, whose changes cannot be captured. */
    private static void refuseOtherProcesses(InProcessEngine engine, String engineUrl) throws SQLException {
        String lower = engineUrl.toLowerCase(Locale.ROOT);
        String advice = " runs in another process, whose changes Multimed cannot see: use mem: or file:, or start"
                + " a Multimed server there and connect with jdbc:multimed://host:port/database.";
        if (engine.dialect() == Dialect.H2) {
            for (String kind : List.of("tcp:", "ssl:")) {
                if (lower.startsWith("jdbc:h2:" + kind)) {
                    throw Errors.notSupported("h2:" + kind + advice);
                }
            }
            if (lower.contains(";auto_server=true")) {
                throw Errors.notSupported("AUTO_SERVER lets other processes change the database unseen: remove"
                        + " AUTO_SERVER=TRUE from the URL.");
            }
        }
        if (engine.dialect() == Dialect.HSQLDB) {
            for (String kind : List.of("hsql:", "hsqls:", "http:", "https:")) {
                if (lower.startsWith("jdbc:hsqldb:" + kind)) {
                    throw Errors.notSupported("hsqldb:" + kind + advice);
                }
            }
        }
    }
}
