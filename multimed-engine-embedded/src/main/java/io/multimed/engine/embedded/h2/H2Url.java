package io.multimed.engine.embedded.h2;

import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;

/**
 * An H2 URL, cut into the database and its settings.
 *
 * @param database {@code jdbc:h2:mem:shop}
 * @param settings {@code ;KEY=VALUE;...}, or empty
 */
record H2Url(String database, String settings) {
    private static final String PREFIX = "jdbc:h2:";
    /**
     * Settings that concern files, the life of the database or the Master's sessions, and that Satellites go without;
     * every other one shapes what SQL means.
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
            "FILE_LOCK",
            "FORBID_CREATION",
            "IFEXISTS",
            "INIT",
            "JMX",
            "LOCK_MODE",
            "LOG",
            "MAX_COMPACT_TIME",
            "MAX_LENGTH_INPLACE_LOB",
            "MAX_LOG_SIZE",
            "NETWORK_TIMEOUT",
            "OPEN_NEW",
            "PAGE_SIZE",
            "PASSWORD",
            "PASSWORD_HASH",
            "RECOVER",
            "RETENTION_TIME",
            "REUSE_SPACE",
            "SCHEMA",
            "SCHEMA_SEARCH_PATH",
            "TRACE_LEVEL_FILE",
            "TRACE_LEVEL_SYSTEM_OUT",
            "TRACE_MAX_FILE_SIZE",
            "USER",
            "WRITE_DELAY");

    static H2Url parse(String url) throws SQLFeatureNotSupportedException {
        int settings = url.indexOf(';');
        H2Url parsed =
                settings < 0 ? new H2Url(url, "") : new H2Url(url.substring(0, settings), url.substring(settings));
        String name = parsed.database.substring(PREFIX.length());
        if (name.startsWith("tcp:") || name.startsWith("ssl:")) {
            throw new SQLFeatureNotSupportedException(
                    "Replicas need an engine inside this process; " + parsed.database
                            + " names a server. Use jdbc:h2:mem: or jdbc:h2:file:, or replicas=1.",
                    "0A000");
        }
        if (parsed.setting("AUTO_SERVER").equalsIgnoreCase("TRUE")) {
            throw new SQLFeatureNotSupportedException(
                    "AUTO_SERVER=TRUE lets other processes change the database unheard; remove it, or use replicas=1.",
                    "0A000");
        }
        return parsed;
    }

    /** The value of a setting, or an empty string. */
    String setting(String key) {
        for (String part : settings.split(";")) {
            int equals = part.indexOf('=');
            if (equals > 0 && part.substring(0, equals).trim().equalsIgnoreCase(key)) {
                return part.substring(equals + 1);
            }
        }
        return "";
    }

    boolean inMemory() {
        return database.startsWith(PREFIX + "mem:");
    }

    /** The settings that Satellites need to understand SQL as the Master does. */
    String satelliteSettings() {
        StringBuilder kept = new StringBuilder();
        for (String part : settings.split(";")) {
            int equals = part.indexOf('=');
            if (equals > 0 && keeps(part.substring(0, equals))) {
                kept.append(';').append(part);
            }
        }
        return kept.toString();
    }

    /** The user, as far as the URL says who it is. */
    String user() {
        return kept("USER") + kept("PASSWORD") + kept("PASSWORD_HASH");
    }

    /** That setting as it is in the URL, or nothing. */
    String kept(String key) {
        String value = setting(key);
        return value.isEmpty() ? "" : ";" + key + "=" + value;
    }

    /** The same of what was given as properties, with the user. */
    Properties satelliteProperties(Properties given) {
        Properties kept = new Properties();
        for (String key : given.stringPropertyNames()) {
            if (keeps(key)) {
                kept.setProperty(key, given.getProperty(key));
            }
        }
        for (String key : new String[] {"user", "password"}) {
            String value = given.getProperty(key, setting(key));
            kept.setProperty(key, value);
        }
        return kept;
    }

    private static boolean keeps(String key) {
        return !MASTER_ONLY.contains(key.trim().toUpperCase(Locale.ROOT));
    }
}
