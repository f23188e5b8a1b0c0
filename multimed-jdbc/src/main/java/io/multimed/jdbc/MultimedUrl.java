package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.ReadPolicy;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.statements.DescribedEngines;
import io.multimed.jdbc.statements.EngineDriver;
import io.multimed.jdbc.statements.StatementFamily;
import io.multimed.model.Freshness;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A {@code jdbc:multimed:} URL. Multimed's own options are few and reserved; all others are passed to the engine. */
sealed interface MultimedUrl {
    String PREFIX = "jdbc:multimed:";

    /** Options whose value is a secret, or SQL that may contain secrets, besides all options that end in {@code password}. */
    Set<String> SECRETS = Set.of("password_hash", "pwd", "crypt_key", "encryptionkey", "newencryptionkey", "init");

    /** Returns the URL as given, without secrets. */
    String url();

    /**
     * A URL for replicas in this process.
     *
     * @param onMaster whether all reads of this connection run on the Master
     * @param initial statements with which each new connection begins; the driver executes them, since their effects concern
     *     more than the Master
     */
    record Embedded(
            String url,
            Engine engine,
            EmbeddedOptions options,
            boolean onMaster,
            Properties credentials,
            List<String> initial)
            implements MultimedUrl {
        /** Returns the URL without credentials. */
        @Override
        public String toString() {
            return url;
        }
    }

    /**
     * A URL for a Multimed server.
     *
     * @param onMaster whether all reads of this connection run on the Master
     */
    record Remote(String url, String engineUrl, @Nullable String freshness, boolean onMaster, Properties properties)
            implements MultimedUrl {
        /** Returns the URL without credentials. */
        @Override
        public String toString() {
            return url;
        }
    }

    /**
     * An engine.
     *
     * @param name the word after {@code jdbc:}
     * @param described the description of an engine of {@link Dialect#STATEMENTS}; otherwise null
     */
    record Engine(String name, Dialect dialect, @Nullable StatementFamily described) {
        /**
         * Returns the engine of this name.
         *
         * @return null if there is none of that name
         * @throws SQLException 08001 if its description is unusable
         */
        static @Nullable Engine named(String name) throws SQLException {
            switch (name) {
                case "h2":
                    return new Engine(name, Dialect.H2, null);
                case "hsqldb":
                    return new Engine(name, Dialect.HSQLDB, null);
                default:
                    StatementFamily described = DescribedEngines.named(name);
                    return described == null ? null : new Engine(name, Dialect.STATEMENTS, described);
            }
        }

        /** Loads the engine's driver, which registers itself. */
        void load() throws SQLException {
            if (described != null) {
                described.load();
            } else if (dialect == Dialect.H2) {
                EngineDriver.load(name, "org.h2.Driver", "com.h2database:h2");
            } else {
                EngineDriver.load(name, "org.hsqldb.jdbc.JDBCDriver", "org.hsqldb:hsqldb");
            }
        }
    }

    /**
     * Parses a URL.
     *
     * @throws SQLException with the SQLState and a sentence that says how to correct the URL, if it has no meaning
     */
    static MultimedUrl parse(String url, Properties properties) throws SQLException {
        String rest = url.substring(PREFIX.length());
        return isRemote(url) ? remote(url, rest, properties) : embedded(url, rest, properties);
    }

    private static MultimedUrl remote(String url, String rest, Properties given) throws SQLException {
        Properties properties = new Properties();
        OwnOptions own = OwnOptions.of(given, properties);
        int question = rest.indexOf('?');
        String database = question < 0 ? rest : rest.substring(0, question);
        List<String> written =
                question < 0 ? List.of() : List.of(rest.substring(question + 1).split("&"));
        List<String> kept = own.takeFrom(written);
        own.checkRemote();
        new MisplacedOptions("jdbc:postgresql:" + database, question < 0 ? "?" : "&")
                .check(database, written, properties);
        kept.removeIf(option -> takeForProperties(option, properties));
        String freshness = own.get("freshness");
        if (freshness != null) {
            freshness(freshness);
        }
        String engineUrl = "jdbc:postgresql:" + database + (kept.isEmpty() ? "" : "?" + String.join("&", kept));
        return new Remote(withoutSecrets(url), engineUrl, freshness, onMaster(own), properties);
    }

    private static MultimedUrl embedded(String url, String rest, Properties given) throws SQLException {
        int colon = rest.indexOf(':');
        if (colon <= 0) {
            throw Errors.cannotConnect("The URL names no engine: write jdbc:multimed:h2:mem:shop, or"
                    + " jdbc:multimed://host:port/database for a Multimed server.");
        }
        String name = rest.substring(0, colon).toLowerCase(Locale.ROOT);
        Engine engine = Engine.named(name);
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
        String database = takePasswords(named, credentials);
        parts.removeIf(part -> takeCredential(part, credentials));
        checkPropagation(engine, own);
        int replicas = replicas(own.get("replicas"));
        List<String> initial =
                engine.dialect() == Dialect.H2 && replicas > 1 ? takeInitial(parts, credentials) : List.of();
        parts.add(0, database);
        String engineUrl = "jdbc:" + String.join(";", parts);
        refuseOtherProcesses(engine, engineUrl);
        EmbeddedOptions options = new EmbeddedOptions(
                engineUrl,
                replicas,
                policy(own.get("policy")),
                freshness(own.get("freshness", "strong")),
                patience(own.get("patience")),
                compare(own.get("comparison")));
        return new Embedded(withoutSecrets(url), engine, options, onMaster(own), credentials, initial);
    }

    /**
     * Splits the URL at semicolons. A backslash escapes a semicolon in H2; no other engine has a backslash in front of a
     * semicolon.
     */
    private static List<String> parts(String rest) {
        return List.of(rest.split("(?<!\\\\);"));
    }

    /**
     * Takes out the statements that H2 would execute on the Master for each new connection. Changes made by INIT must reach the
     * Satellites too, and auto-commit is provided by the driver.
     */
    private static List<String> takeInitial(List<String> parts, Properties credentials) {
        Map<String, String> taken = new LinkedHashMap<>();
        parts.removeIf(part -> {
            int equals = part.indexOf('=');
            return equals > 0
                    && takeInitial(
                            part.substring(0, equals),
                            part.substring(equals + 1).replaceAll("\\\\(.)", "$1"),
                            taken);
        });
        for (String name : credentials.stringPropertyNames()) {
            if (takeInitial(name, credentials.getProperty(name), taken)) {
                credentials.remove(name);
            }
        }
        List<String> initial = new ArrayList<>();
        String init = taken.get("INIT");
        if (init != null) {
            initial.add(init);
        }
        // Last, because H2 commits the changes of INIT.
        String autocommit = taken.get("AUTOCOMMIT");
        if (autocommit != null) {
            initial.add("SET AUTOCOMMIT " + autocommit);
        }
        return initial;
    }

    private static boolean takeInitial(String name, String value, Map<String, String> taken) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (!upper.equals("INIT") && !upper.equals("AUTOCOMMIT")) {
            return false;
        }
        taken.put(upper, value);
        return true;
    }

    /** Returns the URL without secrets, for logs and metadata. */
    static String withoutSecrets(String url) {
        List<String> kept = new ArrayList<>();
        for (String part : isRemote(url) ? List.of(url) : parts(url)) {
            if (kept.isEmpty()) {
                kept.add(takePasswords(part, new Properties()));
            } else if (!hasSecret(part)) {
                kept.add(part);
            }
        }
        return String.join(";", kept);
    }

    /** Whether the value of an option of that name must not be shown, or may contain anything. */
    static boolean isSecret(String name) {
        String lower = name.trim().toLowerCase(Locale.ROOT);
        return lower.endsWith("password") || SECRETS.contains(lower);
    }

    private static boolean hasSecret(String option) {
        int equals = option.indexOf('=');
        return equals > 0 && isSecret(option.substring(0, equals));
    }

    /** Moves secrets after a question mark to the properties. */
    private static String takePasswords(String url, Properties credentials) {
        int question = url.indexOf('?');
        if (question < 0) {
            return url;
        }
        StringBuilder kept = new StringBuilder(url.substring(0, question));
        char separator = '?';
        for (String option : url.substring(question + 1).split("&")) {
            if (hasSecret(option)) {
                int equals = option.indexOf('=');
                credentials.putIfAbsent(option.substring(0, equals), option.substring(equals + 1));
            } else {
                kept.append(separator).append(option);
                separator = '&';
            }
        }
        return kept.toString();
    }

    /**
     * Checks the option propagation. Executing statements again refuses some statements, so it must be requested explicitly, and
     * it is not available where rows are captured.
     */
    private static void checkPropagation(Engine engine, OwnOptions own) throws SQLException {
        String propagation = own.get("propagation");
        boolean repeats = engine.described() != null;
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

    /** Whether the URL names a Multimed server. */
    static boolean isRemote(String url) {
        return url.startsWith(PREFIX + "//");
    }

    /**
     * Moves an option to the properties. The options for the server must be combined with Multimed's own, since pgjdbc would
     * ignore the latter if the URL also has some. Secrets are moved because a URL without secrets may be part of a message.
     */
    private static boolean takeForProperties(String option, Properties properties) {
        if (!option.startsWith("options=") && !hasSecret(option)) {
            return false;
        }
        int equals = option.indexOf('=');
        try {
            properties.setProperty(
                    option.substring(0, equals),
                    URLDecoder.decode(option.substring(equals + 1), StandardCharsets.UTF_8));
            return true;
        } catch (IllegalArgumentException e) {
            // pgjdbc reports the error.
            return false;
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
    private static void refuseOtherProcesses(Engine engine, String engineUrl) throws SQLException {
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

    private static int replicas(@Nullable String value) throws SQLException {
        if (value == null) {
            return Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
        }
        int replicas;
        try {
            replicas = Integer.parseInt(value);
        } catch (NumberFormatException e) {
            replicas = 0;
        }
        if (replicas < 1 || replicas > EmbeddedOptions.MAX_REPLICAS) {
            throw Errors.invalid("replicas=" + value + " is not possible: give the number of engines in all, 1 to "
                    + EmbeddedOptions.MAX_REPLICAS + ".");
        }
        return replicas;
    }

    private static ReadPolicy policy(@Nullable String value) throws SQLException {
        if (value == null) {
            return ReadPolicy.STICKY;
        }
        switch (value.toLowerCase(Locale.ROOT)) {
            case "sticky":
                return ReadPolicy.STICKY;
            case "least-active":
                return ReadPolicy.LEAST_ACTIVE;
            case "round-robin":
                return ReadPolicy.ROUND_ROBIN;
            default:
                throw Errors.invalid("policy=" + value + " is not known: use sticky, least-active or round-robin.");
        }
    }

    /** Parses {@code strong}, {@code session}, {@code eventual} or {@code eventual:500ms}. */
    static Freshness freshness(String value) throws SQLException {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.equals("strong")) {
            return Freshness.STRONG;
        }
        if (lower.equals("session")) {
            return Freshness.SESSION;
        }
        if (lower.equals("eventual")) {
            return Freshness.EVENTUAL;
        }
        if (lower.startsWith("eventual:")) {
            return new Freshness.Eventual(duration("freshness", lower.substring("eventual:".length())));
        }
        throw Errors.invalid("freshness=" + value
                + " is not known: use strong, session, eventual, or eventual with the lag allowed, eventual:500ms.");
    }

    private static boolean onMaster(OwnOptions own) throws SQLException {
        String route = own.get("route", "auto");
        switch (route.toLowerCase(Locale.ROOT)) {
            case "auto":
                return false;
            case "master":
                return true;
            default:
                throw Errors.invalid("route=" + route
                        + " is not known: use auto, or master to have all reads of the connection there.");
        }
    }

    private static int compare(@Nullable String value) throws SQLException {
        if (value == null) {
            return EmbeddedOptions.DEFAULT_COMPARE;
        }
        Matcher percent = Pattern.compile("(\\d{1,3})%?").matcher(value);
        if (!percent.matches() || Integer.parseInt(percent.group(1)) > EmbeddedOptions.MAX_COMPARE) {
            throw Errors.invalid("comparison=" + value
                    + " is not understood: give the percent of a core that the comparison of replicas"
                    + " with the master may take, 1 say, or 0 for none.");
        }
        return Integer.parseInt(percent.group(1));
    }

    private static Duration patience(@Nullable String value) throws SQLException {
        return value == null ? Duration.ofSeconds(2) : duration("patience", value.toLowerCase(Locale.ROOT));
    }

    private static Duration duration(String option, String value) throws SQLException {
        Matcher time = Pattern.compile("(\\d{1,9})(ms|s)?").matcher(value);
        if (!time.matches()) {
            throw Errors.invalid(
                    "The time " + value + " of " + option + " is not understood: give milliseconds, 500ms or 2s.");
        }
        long amount = Long.parseLong(time.group(1));
        return "s".equals(time.group(2)) ? Duration.ofSeconds(amount) : Duration.ofMillis(amount);
    }
}
