package io.multimed.bench.system;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The counters of a Multimed, read as Prometheus would read them. */
record Metrics(int port) {
    private static final int PATIENCE_MILLIS = 5_000;

    /** Returns the values without labels, by their names; none while the server does not answer. */
    Map<String, Double> read() {
        Map<String, Double> values = new HashMap<>();
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            String text = new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> line.matches("\\w+ [-+.\\dEe]+"))
                    .map(line -> line.split(" "))
                    .forEach(pair -> values.put(pair[0], Double.valueOf(pair[1])));
            return values;
        } catch (IOException e) {
            return Map.of();
        }
    }
}
