package io.multimed.jdbc.url;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.jdbc.backend.InProcessEngine;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A {@code jdbc:multimed:} URL. Multimed's own options are few and reserved; all others are passed to the engine. */
public sealed interface MultimedUrl {
    String PREFIX = "jdbc:multimed:";

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
            InProcessEngine engine,
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
     * Parses a URL.
     *
     * @throws SQLException with the SQLState and a sentence that says how to correct the URL, if it has no meaning
     */
    static MultimedUrl parse(String url, Properties properties) throws SQLException {
        String rest = url.substring(PREFIX.length());
        return isRemote(url)
                ? ServerUrlParser.parse(url, rest, properties)
                : EmbeddedUrlParser.parse(url, rest, properties);
    }

    /** Whether the URL names a Multimed server. */
    static boolean isRemote(String url) {
        return url.startsWith(PREFIX + "//");
    }
}
