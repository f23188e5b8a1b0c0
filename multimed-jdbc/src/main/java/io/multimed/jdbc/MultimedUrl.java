package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.ReadPolicy;
import io.multimed.jdbc.sql.Dialect;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code jdbc:multimed:} URLs. Multimed's own options are few and reserved; every other one is the engine's and passes.
 *
 * @param url as given
 */
sealed interface MultimedUrl {
    String PREFIX = "jdbc:multimed:";

    /** Multimed's own options, in URLs or, possibly with {@code multimed.} before them, in properties. */
    List<String> RESERVED = List.of("replicas", "policy", "propagation", "freshness", "patience");

    String url();

    /** Replicas in this process. */
    record Embedded(String url, Engine engine, EmbeddedOptions options, Properties credentials)
            implements MultimedUrl {}

    /** A Multimed server. */
    record Remote(String url, String engineUrl, @Nullable String freshness, Properties properties)
            implements MultimedUrl {}

    /** An engine by the word behind {@code jdbc:}. */
    record Engine(String name, Dialect dialect, String driverClass, String artifact) {
        private static final List<Engine> KNOWN = List.of(
                new Engine("h2", Dialect.H2, "org.h2.Driver", "com.h2database:h2"),
                new Engine("hsqldb", Dialect.HSQLDB, "org.hsqldb.jdbc.JDBCDriver", "org.hsqldb:hsqldb"),
                new Engine(
                        "derby",
                        Dialect.DERBY,
                        "org.apache.derby.iapi.jdbc.AutoloadedDriver",
                        "org.apache.derby:derby"),
                new Engine("sqlite", Dialect.SQLITE, "org.sqlite.JDBC", "org.xerial:sqlite-jdbc"));

        static @Nullable Engine named(String name) {
            return KNOWN.stream()
                    .filter(engine -> engine.name().equals(name))
                    .findFirst()
                    .orElse(null);
        }

        /** Loads its driver, which registers itself. */
        void load() throws SQLException {
            loadDriver(name, driverClass, artifact);
        }
    }

    static void loadDriver(String engine, String driverClass, String artifact) throws SQLException {
        for (ClassLoader loader : loaders()) {
            try {
                Class.forName(driverClass, true, loader);
                return;
            } catch (ClassNotFoundException e) {
                // The next one may know it.
            }
        }
        throw Errors.cannotConnect("The driver of " + engine + " (" + driverClass + ") is not on the class path: add "
                + artifact + " to the application's dependencies.");
    }

    private static List<ClassLoader> loaders() {
        List<ClassLoader> loaders = new ArrayList<>();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        loaders.add(MultimedUrl.class.getClassLoader());
        return loaders;
    }

    /** @throws SQLException with the state and a sentence that says what to do, if it means nothing */
    static MultimedUrl parse(String url, Properties properties) throws SQLException {
        String rest = url.substring(PREFIX.length());
        return isRemote(url) ? remote(url, rest, properties) : embedded(url, rest, properties);
    }

    private static MultimedUrl remote(String url, String rest, Properties given) throws SQLException {
        Properties properties = new Properties();
        Map<String, String> own = split(given, properties);
        String engineUrl = rest;
        int question = rest.indexOf('?');
        if (question >= 0) {
            StringBuilder kept = new StringBuilder();
            for (String option : rest.substring(question + 1).split("&")) {
                if (!takeOwn(option, own) && !takeServerOptions(option, properties)) {
                    kept.append(kept.length() == 0 ? '?' : '&').append(option);
                }
            }
            engineUrl = rest.substring(0, question) + kept;
        }
        for (String option : own.keySet()) {
            if (!option.equals("freshness")) {
                throw Errors.invalid("The option " + option + " is for replicas inside this process; a Multimed server"
                        + " has its own settings. Remove it from the URL.");
            }
        }
        String freshness = own.get("freshness");
        if (freshness != null) {
            freshness(freshness);
        }
        return new Remote(url, "jdbc:postgresql:" + engineUrl, freshness, properties);
    }

    private static MultimedUrl embedded(String url, String rest, Properties given) throws SQLException {
        int colon = rest.indexOf(':');
        if (colon <= 0) {
            throw Errors.cannotConnect("The URL names no engine: write jdbc:multimed:h2:mem:shop, or"
                    + " jdbc:multimed://host:port/database for a Multimed server.");
        }
        Properties credentials = new Properties();
        Map<String, String> own = split(given, credentials);
        StringBuilder kept = new StringBuilder();
        for (String part : rest.split(";")) {
            if (kept.length() == 0 || !takeOwn(part, own) && !takeCredential(part, credentials)) {
                kept.append(kept.length() == 0 ? "" : ";").append(part);
            }
        }
        String name = rest.substring(0, colon).toLowerCase(Locale.ROOT);
        Engine engine = Engine.named(name);
        if (engine == null) {
            throw Errors.cannotConnect("Multimed knows no engine \"" + name + "\": it runs h2 and hsqldb, and with"
                    + " propagation=statements derby and sqlite.");
        }
        checkPropagation(engine, own);
        String engineUrl = "jdbc:" + kept;
        refuseOtherProcesses(engine, engineUrl);
        EmbeddedOptions options = new EmbeddedOptions(
                engineUrl,
                replicas(own.get("replicas")),
                policy(own.get("policy")),
                freshness(own.getOrDefault("freshness", "strong")),
                patience(own.get("patience")));
        return new Embedded(url, engine, options, credentials);
    }

    /** Executing statements again refuses some of them: nobody gets that unasked, nor where rows are captured. */
    private static void checkPropagation(Engine engine, Map<String, String> own) throws SQLException {
        String propagation = own.get("propagation");
        boolean repeats = engine.dialect().repeatsStatements();
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

    /** Multimed's own options that are given, by name, whether the URL means anything or not. */
    static Map<String, String> own(String url, Properties given) {
        Map<String, String> own = split(given, new Properties());
        for (String part : url.split("[;?&]")) {
            takeOwn(part, own);
        }
        return own;
    }

    /** Whether it names a Multimed server. */
    static boolean isRemote(String url) {
        return url.startsWith(PREFIX + "//");
    }

    /** Takes Multimed's own out of properties; the others go to the engine. */
    private static Map<String, String> split(Properties given, Properties others) {
        Map<String, String> own = new LinkedHashMap<>();
        for (String name : given.stringPropertyNames()) {
            String plain = name.startsWith("multimed.") ? name.substring("multimed.".length()) : name;
            if (RESERVED.contains(plain)) {
                own.put(plain, given.getProperty(name));
            } else {
                others.setProperty(name, given.getProperty(name));
            }
        }
        return own;
    }

    private static boolean takeOwn(String option, Map<String, String> own) {
        int equals = option.indexOf('=');
        if (equals <= 0) {
            return false;
        }
        String name = option.substring(0, equals).trim().toLowerCase(Locale.ROOT);
        if (!RESERVED.contains(name)) {
            return false;
        }
        own.put(name, option.substring(equals + 1).trim());
        return true;
    }

    /** They are to go together with Multimed's own, which pgjdbc would not heed beside some in the URL. */
    private static boolean takeServerOptions(String option, Properties properties) {
        if (!option.startsWith("options=")) {
            return false;
        }
        try {
            properties.setProperty(
                    "options", URLDecoder.decode(option.substring("options=".length()), StandardCharsets.UTF_8));
            return true;
        } catch (IllegalArgumentException e) {
            // pgjdbc objects.
            return false;
        }
    }

    /** The rest of the URL is the database's, and the same for all; who connects is this connection's alone. */
    private static boolean takeCredential(String option, Properties credentials) {
        int equals = option.indexOf('=');
        String name = equals <= 0 ? "" : option.substring(0, equals).trim().toLowerCase(Locale.ROOT);
        if (!name.equals("user") && !name.equals("password")) {
            return false;
        }
        credentials.putIfAbsent(name, option.substring(equals + 1));
        return true;
    }

    /** What runs in another process would run our triggers there. */
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

    /** {@code strong}, {@code session}, {@code eventual} or {@code eventual:500ms}. */
    static Freshness freshness(String value) throws SQLException {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.equals("strong")) {
            return Freshness.STRONG;
        }
        if (lower.equals("session")) {
            return Freshness.SESSION;
        }
        if (lower.equals("eventual")) {
            return new Freshness.Eventual(Duration.ofSeconds(1));
        }
        if (lower.startsWith("eventual:")) {
            return new Freshness.Eventual(duration("freshness", lower.substring("eventual:".length())));
        }
        throw Errors.invalid("freshness=" + value
                + " is not known: use strong, session, eventual, or eventual with the lag allowed, eventual:500ms.");
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
