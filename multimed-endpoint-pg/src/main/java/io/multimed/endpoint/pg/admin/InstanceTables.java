package io.multimed.endpoint.pg.admin;

import io.multimed.core.counters.AdminTable;
import io.multimed.endpoint.pg.backend.PausedDatabases;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.endpoint.pg.session.loop.ConnectedClient;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers of SHOW about the instance as a whole. Columns that PgBouncer has too have its names. */
final class InstanceTables {
    private static final String POOL_MODE = "transaction";
    private static final ErrorFields HELP = new ErrorFields("NOTICE", "00000", "Console usage", """

            \tSHOW HELP|CONFIG|DATABASES|POOLS|CLIENTS|SERVERS|USERS|VERSION|MEM|STATE
            \tSHOW NODES|ROUTES|RULES|STATEMENTS|STATS|WAITS
            \tRELOAD
            \tPAUSE [<db>]
            \tRESUME [<db>]
            \tDISABLE <db>
            \tENABLE <db>
            \tRECONNECT [<db>]
            \tKILL [<db>]
            \tKILL_CLIENT <client_id>
            \tSHUTDOWN
            \tSHUTDOWN WAIT_FOR_SERVERS|WAIT_FOR_CLIENTS
            \tWAIT_CLOSE [<db>]""", null);

    private final DatabaseControl control;
    private final Operations operations;

    InstanceTables(DatabaseControl control, Operations operations) {
        this.control = control;
        this.operations = operations;
    }

    /** Returns the command; null if it is unknown. */
    @Nullable
    AdminCommand command(String name, Viewer viewer) {
        return switch (name) {
            case "DATABASES" ->
                new AdminCommand(
                        "SHOW",
                        List.of(
                                "name",
                                "database",
                                "pool_mode",
                                "current_connections",
                                "current_client_connections",
                                "paused",
                                "disabled"),
                        this::databases);
            case "USERS" ->
                new AdminCommand(
                        "SHOW",
                        List.of("name", "pool_mode", "current_connections", "current_client_connections"),
                        () -> users(viewer));
            case "STATE" -> AdminCommand.show(this::state);
            case "MEM" -> AdminCommand.show(InstanceTables::memory);
            case "VERSION" ->
                AdminCommand.show(
                        () -> new AdminTable(List.of("version"), List.of(List.of("Multimed " + operations.version()))));
            case "CONFIG" -> viewer.seesOthers() ? AdminCommand.show(operations::configuration) : refused();
            case "HELP" ->
                AdminCommand.of("SHOW", () -> CompletableFuture.completedFuture(AdminAnswer.notices(List.of(HELP))));
            default -> null;
        };
    }

    /** Returns a command that is refused: a configuration names files and roles. */
    private static AdminCommand refused() {
        return AdminCommand.of(
                "SHOW",
                () -> CompletableFuture.failedFuture(new CommandFailure(
                        ErrorFields.error(SqlState.INSUFFICIENT_PRIVILEGE, "permission denied to examine CONFIG")
                                .withHint("Superusers and the roles in endpoint.admin_users or stats_users may."))));
    }

    private CompletableFuture<AdminAnswer> databases() {
        CompletableFuture<Map<String, Integer>> connections = control.countConnections(PoolKey::database);
        CompletableFuture<Map<String, Integer>> clients = control.countClients(ConnectedClient::database);
        return operations.databases().thenCombine(connections.thenCombine(clients, Counts::new), (known, counts) -> {
            PausedDatabases paused = control.paused();
            Set<String> names = counts.names();
            known.ifPresent(names::addAll);
            names.addAll(paused.named());
            names.addAll(control.disabled());
            // Clients for log and backups are in no database.
            names.remove("");
            List<List<Object>> rows = new ArrayList<>();
            for (String name : names) {
                rows.add(List.of(
                        name,
                        name,
                        POOL_MODE,
                        counts.connections(name),
                        counts.clients(name),
                        paused.covers(name) ? 1 : 0,
                        control.isDisabled(name) ? 1 : 0));
            }
            return AdminAnswer.rows(rows);
        });
    }

    private CompletableFuture<AdminAnswer> users(Viewer viewer) {
        CompletableFuture<Map<String, Integer>> connections = control.countConnections(PoolKey::user);
        CompletableFuture<Map<String, Integer>> clients = control.countClients(ConnectedClient::user);
        return connections.thenCombine(clients, Counts::new).thenApply(counts -> {
            List<List<Object>> rows = new ArrayList<>();
            for (String name : counts.names()) {
                if (viewer.sees(name)) {
                    rows.add(List.of(name, POOL_MODE, counts.connections(name), counts.clients(name)));
                }
            }
            return AdminAnswer.rows(rows);
        });
    }

    /** Numbers of connections to engines, and of clients, by a name. */
    private record Counts(Map<String, Integer> ofConnections, Map<String, Integer> ofClients) {
        Set<String> names() {
            Set<String> names = new TreeSet<>(ofConnections.keySet());
            names.addAll(ofClients.keySet());
            return names;
        }

        int connections(String name) {
            return ofConnections.getOrDefault(name, 0);
        }

        int clients(String name) {
            return ofClients.getOrDefault(name, 0);
        }
    }

    private AdminTable state() {
        boolean paused = control.paused().all();
        return new AdminTable(
                List.of("key", "value"),
                List.of(
                        List.of("active", paused ? "no" : "yes"),
                        List.of("paused", paused ? "yes" : "no"),
                        List.of("suspended", "no")));
    }

    private static AdminTable memory() {
        Runtime runtime = Runtime.getRuntime();
        return new AdminTable(
                List.of("name", "used", "free", "memtotal"),
                List.of(
                        row("heap", runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory()),
                        row("buffers", PlatformDependent.usedDirectMemory(), PlatformDependent.maxDirectMemory())));
    }

    private static List<Object> row(String name, long used, long most) {
        return List.of(name, used, most - used, most);
    }
}
