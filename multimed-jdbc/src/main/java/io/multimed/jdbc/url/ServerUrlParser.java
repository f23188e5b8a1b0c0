package io.multimed.jdbc.url;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/** Parses the URL of a Multimed server. */
final class ServerUrlParser {
    private ServerUrlParser() {}

    static MultimedUrl parse(String url, String rest, Properties given) throws SQLException {
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
            OptionValues.freshness(freshness);
        }
        String engineUrl = "jdbc:postgresql:" + database + (kept.isEmpty() ? "" : "?" + String.join("&", kept));
        return new MultimedUrl.Remote(
                UrlSecrets.withoutSecrets(url), engineUrl, freshness, OptionValues.onMaster(own), properties);
    }

    /**
     * Moves an option to the properties. The options for the server must be combined with Multimed's own, since pgjdbc would
     * ignore the latter if the URL also has some. Secrets are moved because a URL without secrets may be part of a message.
     */
    private static boolean takeForProperties(String option, Properties properties) {
        if (!option.startsWith("options=") && !UrlSecrets.hasSecret(option)) {
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
}
