package io.multimed.endpoint.pg.admin;

import io.multimed.core.dispatch.Reason;
import io.multimed.endpoint.pg.EndpointServices;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.session.LoopContext;
import io.multimed.endpoint.pg.session.RouteCounters;
import io.multimed.endpoint.pg.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers SHOW NODES, POOLS, CLIENTS, ROUTES and STATS. */
public final class AdminDatabase {
    /** The database name by which clients reach it. */
    public static final String NAME = "multimed";

    private final Supplier<List<LoopContext>> loops;
    private final EndpointServices services;

    /** @param loops all event loops, once they are there */
    public AdminDatabase(Supplier<List<LoopContext>> loops, EndpointServices services) {
        this.loops = loops;
        this.services = services;
    }

    /** Answers one command; completes on any thread. @return null for what it does not know */
    public @Nullable CompletableFuture<AdminTable> answer(String sql) {
        String command =
                sql.strip().replaceAll(";\\s*$", "").replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
        return switch (command) {
            case "SHOW NODES" ->
                CompletableFuture.completedFuture(services.nodeTable().get());
            case "SHOW POOLS" ->
                fromLoops(
                        List.of("node", "loop", "connections", "idle", "private", "waiting", "behind", "displaced"),
                        this::pools);
            case "SHOW CLIENTS" -> fromLoops(List.of("user", "database", "state", "node", "route"), this::clients);
            case "SHOW ROUTES" -> CompletableFuture.completedFuture(routes());
            case "SHOW STATS" -> CompletableFuture.completedFuture(stats());
            default -> null;
        };
    }

    private List<List<Object>> pools(LoopContext loop) {
        List<List<Object>> rows = new ArrayList<>();
        for (NodeBackends backends : loop.backends().all()) {
            rows.add(List.of(
                    backends.node().id(),
                    loops.get().indexOf(loop),
                    backends.size(),
                    backends.idleCount(),
                    backends.privateCount(),
                    backends.waitingCount(),
                    backends.behindCount(),
                    backends.displacedCount()));
        }
        return rows;
    }

    private List<List<Object>> clients(LoopContext loop) {
        List<List<Object>> rows = new ArrayList<>();
        for (Session session : loop.sessions()) {
            rows.add(List.of(
                    session.key().user(),
                    session.key().database(),
                    session.state(),
                    session.boundTo(),
                    session.route()));
        }
        return rows;
    }

    private AdminTable routes() {
        List<List<Object>> rows = new ArrayList<>();
        for (Reason reason : Reason.values()) {
            rows.add(List.of(
                    reason.name().toLowerCase(Locale.ROOT),
                    reason.text(),
                    sum(counters -> counters.placedFor(reason))));
        }
        return new AdminTable(List.of("reason", "meaning", "transactions"), rows);
    }

    private AdminTable stats() {
        List<List<Object>> rows = new ArrayList<>();
        rows.add(List.of("units", sum(RouteCounters::queries)));
        rows.add(List.of("freshness_waits", sum(RouteCounters::freshnessWaits)));
        rows.add(List.of("freshness_wait_us", sum(RouteCounters::freshnessWaitNanos) / 1000));
        rows.add(List.of("visibility_waits", sum(RouteCounters::visibilityWaits)));
        rows.add(List.of("floor", lsn(services.log().floor())));
        rows.add(List.of("received", lsn(services.log().received())));
        return new AdminTable(List.of("name", "value"), rows);
    }

    private long sum(Function<RouteCounters, Long> value) {
        return loops.get().stream()
                .mapToLong(loop -> value.apply(loop.counters()))
                .sum();
    }

    private CompletableFuture<AdminTable> fromLoops(
            List<String> columns, Function<LoopContext, List<List<Object>>> part) {
        List<CompletableFuture<List<List<Object>>>> parts = loops.get().stream()
                .map(loop -> CompletableFuture.supplyAsync(() -> part.apply(loop), loop.loop()))
                .toList();
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> new AdminTable(
                        columns,
                        parts.stream().flatMap(rows -> rows.join().stream()).toList()));
    }

    /** As PostgreSQL writes a pg_lsn. */
    private static String lsn(long position) {
        return position < 0 ? "unknown" : "%X/%X".formatted(position >>> 32, position & 0xffffffffL);
    }
}
