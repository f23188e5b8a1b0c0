package io.multimed.server.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves the page, what it consists of, and its data. Nothing comes from elsewhere, and nothing can be changed. */
public final class ConsolePages implements HttpHandler {
    private static final String CHART_VERSION = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final Pattern AFTER = Pattern.compile("after=(\\d{1,18})");
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";
    private static final String JSON = "application/json";

    private final ConsoleData data;
    private final boolean open;
    private final Map<String, Content> contents;

    private record Content(String type, byte[] bytes) {}

    /**
     * Creates the pages.
     *
     * @param open whether nobody is asked for a password
     * @throws IOException if a part is missing
     */
    public ConsolePages(ConsoleData data, boolean open) throws IOException {
        this.data = data;
        this.open = open;
        Properties chart = new Properties();
        try (InputStream in = stream(CHART_VERSION)) {
            chart.load(in);
        }
        String charts = "/META-INF/resources/webjars/uplot/" + chart.getProperty("version") + "/dist/";
        contents = Map.of(
                "/", own("console.html", HTML),
                "/console", own("console.html", HTML),
                "/console/console.js", own("console.js", SCRIPT),
                "/console/console.css", own("console.css", STYLE),
                "/console/uplot.js", new Content(SCRIPT, bytes(charts + "uPlot.iife.min.js")),
                "/console/uplot.css", new Content(STYLE, bytes(charts + "uPlot.min.css")));
    }

    private static Content own(String name, String type) throws IOException {
        return new Content(type, bytes("/io/multimed/server/console/" + name));
    }

    private static byte[] bytes(String resource) throws IOException {
        try (InputStream in = stream(resource)) {
            return in.readAllBytes();
        }
    }

    private static InputStream stream(String resource) throws IOException {
        InputStream in = ConsolePages.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IOException("there is no " + resource + " on the class path");
        }
        return in;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, 405, null);
            } else if (open && !isForThisMachine(exchange.getRequestHeaders().getFirst("Host"))) {
                // A page of another site may have let its own name point to this machine.
                answer(exchange, 403, null);
            } else if (exchange.getRequestURI().getPath().equals("/console/data.json")) {
                String written = data.written(after(exchange.getRequestURI().getQuery()));
                answer(exchange, 200, new Content(JSON, written.getBytes(StandardCharsets.UTF_8)));
            } else {
                Content content = contents.get(exchange.getRequestURI().getPath());
                answer(exchange, content == null ? 404 : 200, content);
            }
        }
    }

    private static boolean isForThisMachine(@Nullable String host) {
        return host != null && THIS_MACHINE.contains(host.replaceFirst(":\\d+$", ""));
    }

    private static long after(@Nullable String query) {
        Matcher after = AFTER.matcher(query == null ? "" : query);
        return after.matches() ? Long.parseLong(after.group(1)) : 0;
    }

    private static void answer(HttpExchange exchange, int status, @Nullable Content content) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self';"
                        + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
        if (content == null) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        headers.set("Content-Type", content.type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            headers.set("Content-Length", Integer.toString(content.bytes.length));
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, content.bytes.length);
        exchange.getResponseBody().write(content.bytes);
    }
}
