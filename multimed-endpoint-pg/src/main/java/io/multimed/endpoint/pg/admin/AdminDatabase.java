package io.multimed.endpoint.pg.admin;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.counters.CounterTables;
import io.multimed.core.counters.RouteCounters;
import io.multimed.endpoint.pg.backend.HeldConnection;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import io.multimed.endpoint.pg.session.loop.ReadRules;
import io.multimed.endpoint.pg.session.loop.SessionReport;
import io.multimed.endpoint.pg.session.reads.MeasuredTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers SHOW, and executes the commands of administrators. Also accepts the statements that drivers and connection pools send around
 * them, for transactions and settings, which have no effect here.
 */
public final class AdminDatabase {
    /** Name of the database to which clients connect. */
    public static final String NAME = "multimed";

    /** Parameters that drivers expect every server to report; there is no engine to ask. */
    public static final Map<String, String> REPORTED = Map.of(
            "server_version", "18.0 (Multimed admin)",
            "server_encoding", "UTF8",
            "client_encoding", "UTF8",
            "DateStyle", "ISO, MDY",
            "integer_datetimes", "on",
            "standard_conforming_strings", "on");

    private static final Map<String, String> SETTINGS = settings();
    /** First words of accepted commands without effect, with their command tags. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.of(
            "BEGIN", "BEGIN",
            "START", "START TRANSACTION",
            "COMMIT", "COMMIT",
            "END", "COMMIT",
            "ROLLBACK", "ROLLBACK",
            "ABORT", "ROLLBACK",
            "SET", "SET",
            "RESET", "RESET",
            "DISCARD", "DISCARD ALL");

    private final Supplier<List<LoopContext>> loops;
    private final EndpointServices services;
    private final MeasuredTimes times;
    private final DatabaseControl control;
    private final OperatorCommands operator;
    private final InstanceTables instance;

    /**
     * Creates the admin database of an endpoint.
     *
     * @param loops all event loops, once they exist
     * @param times of reads on nodes
     * @param stopListening lets no further client connect to the endpoint
     */
    public AdminDatabase(
            Supplier<List<LoopContext>> loops, EndpointServices services, MeasuredTimes times, Runnable stopListening) {
        this.loops = loops;
        this.services = services;
        this.times = times;
        control = new DatabaseControl(loops, stopListening, services.operations()::end);
        operator = new OperatorCommands(control, services.operations());
        instance = new InstanceTables(control, services.operations());
    }

    /** Whether new clients of the database are refused. */
    public boolean isDisabled(String database) {
        return control.isDisabled(database);
    }

    /** Splits SQL text into commands; the list is empty if the text is. */
    public List<String> commands(String sql) {
        return AdminText.commands(sql);
    }

    /** @return the command; null if it is unknown */
    public @Nullable AdminCommand command(String text, Viewer viewer) {
        String command = text.toUpperCase(Locale.ROOT);
        return switch (command) {
            case "" -> AdminCommand.nothing("");
            case "SHOW NODES" -> AdminCommand.show(services.nodeTable());
            case "SHOW POOLS" ->
                ofLoops(
                        List.of(
                                "node",
                                "loop",
                                "connections",
                                "idle",
                                "private",
                                "waiting",
                                "behind",
                                "displaced",
                                "resting",
                                "held_longest_by",
                                "held_s",
                                "idle_s"),
                        this::pools);
            case "SHOW SERVERS" ->
                ofLoops(
                        List.of(
                                "node",
                                "loop",
                                "engine_pid",
                                "client_pid",
                                "user",
                                "database",
                                "state",
                                "held_s",
                                "idle_s"),
                        loop -> servers(loop, viewer));
            case "SHOW CLIENTS" ->
                ofLoops(
                        List.of("user", "database", "state", "node", "route", "pid", "address", "shape"),
                        loop -> clients(loop, viewer));
            case "SHOW ROUTES" -> AdminCommand.show(() -> CounterTables.routes(counters()));
            case "SHOW RULES" -> AdminCommand.show(this::rules);
            case "SHOW STATEMENTS" -> AdminCommand.show(() -> StatementTimes.of(times.all(), services.nodes()));
            case "SHOW STATS" -> AdminCommand.show(this::stats);
            case "SHOW WAITS" -> AdminCommand.show(() -> CounterTables.waits(counters()));
            case "SHOW TRANSACTION ISOLATION LEVEL" -> command("SHOW transaction_isolation", viewer);
            default -> {
                int end = command.indexOf(' ');
                String tag = WITHOUT_EFFECT.get(end < 0 ? command : command.substring(0, end));
                yield tag != null
                        ? AdminCommand.nothing(tag)
                        : command.startsWith("SHOW ")
                                ? shown(command.substring(5), viewer)
                                : operator.command(text, viewer);
            }
        };
    }

    private @Nullable AdminCommand shown(String name, Viewer viewer) {
        String value = SETTINGS.get(name);
        return value == null
                ? instance.command(name, viewer)
                : AdminCommand.show(
                        () -> new AdminTable(List.of(name.toLowerCase(Locale.ROOT)), List.of(List.of(value))));
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        settings.putAll(REPORTED);
        settings.put("TimeZone", "GMT");
        settings.put("transaction_isolation", "read committed");
        settings.put("default_transaction_isolation", "read committed");
        return settings;
    }

    private List<List<Object>> pools(LoopContext loop) {
        List<List<Object>> rows = new ArrayList<>();
        for (NodeBackends backends : loop.backends().all()) {
            List<HeldConnection> held = backends.held();
            HeldConnection longest = held.isEmpty() ? null : held.getFirst();
            rows.add(List.of(
                    backends.node().id(),
                    loops.get().indexOf(loop),
                    backends.size(),
                    backends.idleCount(),
                    backends.privateCount(),
                    backends.waitingCount(),
                    backends.behindCount(),
                    backends.displacedCount(),
                    backends.restingCount(),
                    longest == null ? "" : longest.client(),
                    longest == null ? "" : seconds(longest.heldNanos()),
                    longest == null ? "" : seconds(longest.idleNanos())));
        }
        return rows;
    }

    /**
     * Returns the engine connections in use, with their holder, the time since it got them, and the time since the last traffic.
     */
    private List<List<Object>> servers(LoopContext loop, Viewer viewer) {
        List<List<Object>> rows = new ArrayList<>();
        for (NodeBackends backends : loop.backends().all()) {
            for (HeldConnection held : backends.held()) {
                if (viewer.sees(held.user())) {
                    rows.add(List.of(
                            backends.node().id(),
                            loops.get().indexOf(loop),
                            held.engineProcess(),
                            held.client(),
                            held.user(),
                            held.database(),
                            held.state(),
                            seconds(held.heldNanos()),
                            seconds(held.idleNanos())));
                }
            }
        }
        return rows;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
    }

    private static List<List<Object>> clients(LoopContext loop, Viewer viewer) {
        List<List<Object>> rows = new ArrayList<>();
        loop.clients().forEach((session, client) -> {
            if (viewer.sees(client.user())) {
                SessionReport report = session.report();
                rows.add(List.of(
                        client.user(),
                        client.database(),
                        report.state(),
                        report.boundTo(),
                        report.route(),
                        client.processId(),
                        client.addressText(),
                        report.shape()));
            }
        });
        return rows;
    }

    /** Returns the routing rules in their order, with the numbers of reads, and hints as rules of their own. */
    private AdminTable rules() {
        ReadRules first = loops.get().getFirst().rules();
        // While rules are exchanged, some loops may still have those before.
        List<ReadRules> ofLoops = loops.get().stream()
                .map(LoopContext::rules)
                .filter(rules -> rules.generation() == first.generation())
                .toList();
        List<List<Object>> rows = new ArrayList<>();
        List<ReadRule> all = first.all();
        for (int i = 0; i < all.size(); i++) {
            int index = i;
            List<ReadRule> each =
                    ofLoops.stream().map(rules -> rules.all().get(index)).toList();
            RouteRule rule = all.get(i).rule();
            rows.add(List.of(
                    rule.name(),
                    rule.match(),
                    rule.to(),
                    rule.otherwise().name().toLowerCase(Locale.ROOT),
                    each.stream().mapToLong(ReadRule::countSent).sum(),
                    each.stream().mapToLong(ReadRule::countFellBack).sum(),
                    each.stream().mapToLong(ReadRule::countRefused).sum()));
        }
        return new AdminTable(List.of("rule", "match", "to", "otherwise", "sent", "fell_back", "refused"), rows);
    }

    private AdminTable stats() {
        long coalesced =
                counters().stream().mapToLong(RouteCounters::coalescedReads).sum();
        return CounterTables.stats(
                counters(),
                List.of(
                        List.of("coalesced_reads", coalesced),
                        List.of("floor", lsn(services.log().floor())),
                        List.of("received", lsn(services.log().received()))));
    }

    private List<RouteCounters> counters() {
        return loops.get().stream().map(LoopContext::counters).toList();
    }

    private AdminCommand ofLoops(List<String> columns, Function<LoopContext, List<List<Object>>> part) {
        return new AdminCommand("SHOW", columns, () -> {
            List<CompletableFuture<List<List<Object>>>> parts = loops.get().stream()
                    .map(loop -> CompletableFuture.supplyAsync(() -> part.apply(loop), loop.loop()))
                    .toList();
            return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                    .thenApply(done -> AdminAnswer.rows(
                            parts.stream().flatMap(rows -> rows.join().stream()).toList()));
        });
    }

    /** Formats a position like PostgreSQL's pg_lsn. */
    private static String lsn(long position) {
        return position < 0 ? "unknown" : "%X/%X".formatted(position >>> 32, position & 0xffffffffL);
    }
}
