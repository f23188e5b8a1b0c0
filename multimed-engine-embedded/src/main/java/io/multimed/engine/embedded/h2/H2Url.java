package io.multimed.engine.embedded.h2;

import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * An H2 URL, split into the database and its settings.
 *
 * @param database {@code jdbc:h2:mem:shop}
 * @param settings by their names in upper case; include the user if the URL names one
 */
record H2Url(String database, Map<String, String> settings) {
    private static final String PREFIX = "jdbc:h2:";
    private static final String USER = "USER";
    private static final String PASSWORD = "PASSWORD";
    /**
     * Settings that concern files, the life of the database or the Master's sessions. Satellites are created without them. Every
     * other setting changes the meaning of SQL.
     */
    private static final Set<String> MASTER_ONLY = Set.of(
            "ACCESS_MODE_DATA",
            "AUTO_COMPACT_FILL_RATE",
            "AUTO_RECONNECT",
            "AUTO_SERVER",
            "AUTO_SERVER_PORT",
            "AUTOCOMMIT",
            "CACHE_SIZE",
            "CACHE_TYPE",
            "CIPHER",
            "COMPRESS",
            "COMPRESS_LOB",
            "DATABASE_EVENT_LISTENER",
            "DB_CLOSE_DELAY",
            "DB_CLOSE_ON_EXIT",
            "DEFRAG_ALWAYS",
            "EXCLUSIVE",
            "FILE_LOCK",
            "FORBID_CREATION",
            "IFEXISTS",
            "INIT",
            "JAVA_OBJECT_SERIALIZER",
            "JMX",
            "LOCK_MODE",
            "LOG",
            "MAX_COMPACT_TIME",
            "MAX_LENGTH_INPLACE_LOB",
            "MAX_LOG_SIZE",
            "NETWORK_TIMEOUT",
            "OPEN_NEW",
            "PAGE_SIZE",
            PASSWORD,
            "PASSWORD_HASH",
            "RECOVER",
            "RETENTION_TIME",
            "REUSE_SPACE",
            "SCHEMA",
            "SCHEMA_SEARCH_PATH",
            "TRACE_LEVEL_FILE",
            "TRACE_LEVEL_SYSTEM_OUT",
            "TRACE_MAX_FILE_SIZE",
            USER,
            "WRITE_DELAY");

    /**
     * Settings of a session that change the results of its queries. Settings of the database reach Satellites through the log.
     * LAZY_QUERY_EXECUTION is not among them: the last rows of a lazy query may be newer than the first ones.
     */
    private static final Set<String> OF_READERS = Set.of(
            "IGNORE_UNKNOWN_SETTINGS",
            "LOCK_TIMEOUT",
            "NON_KEYWORDS",
            "OLD_INFORMATION_SCHEMA",
            "PASSWORD_HASH",
            "QUERY_TIMEOUT",
            "SCHEMA_SEARCH_PATH",
            "TIME ZONE",
            "TRUNCATE_LARGE_LENGTH",
            "VARIABLE_BINARY");

    /**
     * Parses a URL.
     *
     * @param given properties, which override settings of the same name in the URL; user and password in them are ignored here
     * @throws SQLFeatureNotSupportedException if it names a server, or a database that others may change
     */
    static H2Url parse(String url, Properties given) throws SQLFeatureNotSupportedException {
        H2Url parsed = cut(url);
        for (String key : given.stringPropertyNames()) {
            if (!isLogin(upper(key))) {
                parsed.settings.put(upper(key), given.getProperty(key));
            }
        }
        String name = parsed.database.substring(PREFIX.length());
        if (name.startsWith("tcp:") || name.startsWith("ssl:")) {
            throw new SQLFeatureNotSupportedException(
                    "Replicas need an engine inside this process; " + parsed.database
                            + " names a server. Use jdbc:h2:mem: or jdbc:h2:file:, or replicas=1.",
                    "0A000");
        }
        if ("TRUE".equalsIgnoreCase(parsed.settings.get("AUTO_SERVER"))) {
            throw new SQLFeatureNotSupportedException(
                    "AUTO_SERVER=TRUE lets other processes change the database unheard; remove it, or use replicas=1.",
                    "0A000");
        }
        return parsed;
    }

    /** Splits the URL as H2 does: the meaning of a backslash depends on the next character. */
    private static H2Url cut(String url) {
        int semicolon = url.indexOf(';');
        Map<String, String> settings = new TreeMap<>();
        if (semicolon < 0) {
            return new H2Url(url, settings);
        }
        StringBuilder part = new StringBuilder();
        for (int i = semicolon + 1; i <= url.length(); i++) {
            if (i == url.length() || url.charAt(i) == ';') {
                int equals = part.indexOf("=");
                if (equals > 0) {
                    settings.put(upper(part.substring(0, equals)), part.substring(equals + 1));
                }
                part.setLength(0);
            } else {
                boolean escapes = url.charAt(i) == '\\' && i + 1 < url.length();
                part.append(url.charAt(escapes ? ++i : i));
            }
        }
        return new H2Url(url.substring(0, semicolon), settings);
    }

    private static String upper(String key) {
        return key.toUpperCase(Locale.ROOT);
    }

    private static boolean isLogin(String key) {
        return key.equals(USER) || key.equals(PASSWORD);
    }

    /**
     * Returns all settings for a connection except the name of the database.
     *
     * @param given properties, in which user and password override those of the URL
     */
    Properties login(Properties given) {
        Properties login = new Properties();
        settings.forEach(login::setProperty);
        for (String key : given.stringPropertyNames()) {
            login.setProperty(upper(key), given.getProperty(key));
        }
        return login;
    }

    /** Returns the settings with which Satellites are created, so that they interpret SQL as the Master does. */
    Properties ofSatellites() {
        Properties kept = new Properties();
        settings.forEach((key, value) -> {
            if (!MASTER_ONLY.contains(key)) {
                kept.setProperty(key, value);
            }
        });
        return kept;
    }

    /** Returns the part of a session's login properties with which it connects to Satellites. */
    static Properties ofReader(Properties login) {
        Properties kept = new Properties();
        for (String key : login.stringPropertyNames()) {
            if (isLogin(upper(key)) || OF_READERS.contains(upper(key))) {
                kept.setProperty(key, login.getProperty(key));
            }
        }
        return kept;
    }
}
