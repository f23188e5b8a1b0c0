package io.multimed.jdbc;

import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.url.MultimedUrl;
import io.multimed.jdbc.url.UrlSecrets;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The connection settings of a data source. Any thread, once it is configured. */
final class DataSourceSettings {
    @Nullable
    String url;

    @Nullable
    String user;

    @Nullable
    String password;

    @Nullable
    PrintWriter log;

    MultimedUrl parse(@Nullable String user, @Nullable String password) throws SQLException {
        String given = url;
        if (given == null) {
            throw Errors.cannotConnect(
                    "The data source has no URL: call setUrl(\"" + MultimedUrl.PREFIX + "...\") first.");
        }
        if (!given.startsWith(MultimedUrl.PREFIX)) {
            throw Errors.cannotConnect("The URL of the data source must begin with " + MultimedUrl.PREFIX + ".");
        }
        Properties credentials = new Properties();
        if (user != null) {
            credentials.setProperty("user", user);
        }
        if (password != null) {
            credentials.setProperty("password", password);
        }
        return MultimedUrl.parse(given, credentials);
    }

    /** Checks that the timeout is 0. The login timeout is an option of the engine or the server, in the URL. */
    static void checkLoginTimeout(int seconds) throws SQLException {
        if (seconds != 0) {
            throw Errors.notSupported("The data source has no login timeout: give the engine's own option in the URL.");
        }
    }

    /** Returns a description without passwords. */
    String shown(String type) {
        String given = url;
        String where = given == null
                ? "no URL"
                : given.startsWith(MultimedUrl.PREFIX) ? UrlSecrets.withoutSecrets(given) : "another driver's URL";
        return type + " of " + where + (user == null ? "" : " for " + user);
    }
}
