package io.multimed.endpoint.pg.session.loop;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.auth.ClientCertificate;
import io.multimed.endpoint.pg.services.EngineSessions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sessions of all clients at one moment, as one client may see them. Immutable. */
public final class OtherSessions {
    private static final Logger LOG = LoggerFactory.getLogger(OtherSessions.class);
    /** Time for which an engine's answer is awaited. After that the result is built without it. */
    private static final int PATIENCE_MILLIS = 2_000;

    private record OfClient(ConnectedClient client, SessionActivity activity) {}

    /**
     * The clients and connections of one loop.
     *
     * @param processes the backend processes of its connections to all nodes
     */
    private record OfLoop(List<OfClient> clients, List<Integer> processes) {}

    private final List<OfClient> clients;
    private final Set<Integer> processes;
    private final EngineSessions.Seen seen;

    private OtherSessions(List<OfLoop> loops, EngineSessions.Seen seen) {
        clients = loops.stream().flatMap(loop -> loop.clients.stream()).toList();
        processes = new HashSet<>();
        loops.forEach(loop -> processes.addAll(loop.processes));
        this.seen = seen;
    }

    /**
     * Collects the activity of all sessions.
     *
     * @param role the role of the client that asks
     * @param then receives the result on the loop of {@code asking}; nobody hears of its failure
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The action takes the result and the failure.
    static void look(List<LoopContext> loops, LoopContext asking, String role, Consumer<OtherSessions> then) {
        List<CompletableFuture<OfLoop>> parts = loops.stream()
                .map(loop -> CompletableFuture.supplyAsync(() -> of(loop), loop.loop()))
                .toList();
        CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> parts.stream().map(CompletableFuture::join).toList())
                .thenCompose(found -> asking(asking, found, role).thenApply(seen -> new OtherSessions(found, seen)))
                .whenCompleteAsync(
                        (sessions, failure) -> {
                            if (failure != null) {
                                LOG.error("The sessions of all clients could not be collected", failure);
                            }
                            then.accept(
                                    sessions != null
                                            ? sessions
                                            : new OtherSessions(List.of(), EngineSessions.Seen.NOTHING));
                        },
                        asking.loop());
    }

    private static OfLoop of(LoopContext loop) {
        List<OfClient> clients = new ArrayList<>();
        loop.clients()
                .forEach((session, client) ->
                        clients.add(new OfClient(client, session.report().activity())));
        List<Integer> processes = new ArrayList<>();
        loop.backends().all().forEach(backends -> processes.addAll(backends.processIds()));
        return new OfLoop(clients, processes);
    }

    private static CompletableFuture<EngineSessions.Seen> asking(LoopContext asking, List<OfLoop> found, String role) {
        Set<ComputationalNode> satellites = new LinkedHashSet<>();
        for (OfLoop loop : found) {
            for (OfClient each : loop.clients) {
                ComputationalNode node = each.activity.node();
                if (node != null && node != asking.nodes().master()) {
                    satellites.add(node);
                }
            }
        }
        CompletableFuture<EngineSessions.Seen> answer = new CompletableFuture<>();
        asking.services().roles().sessions().look(role, satellites, answer::complete);
        return answer.completeOnTimeout(EngineSessions.Seen.NOTHING, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Whether the client that asked may cancel or terminate what this client does. */
    public boolean maySignal(ConnectedClient client) {
        return seen.signalable().contains(client.user());
    }

    /**
     * Returns the sessions in JSON, in the format of the setting that {@code ProcessNumberSql} reads.
     *
     * @param own the process number of the client that asked
     * @param engineProcess the Master's process that serves this client now
     */
    public String json(int own, int engineProcess, ComputationalNode master) {
        StringBuilder json = new StringBuilder("{\"clients\":[");
        Set<Integer> served = new HashSet<>();
        String separator = "";
        for (OfClient each : clients) {
            Integer engine = each.client.processId() == own
                    ? Integer.valueOf(engineProcess)
                    : each.activity.node() == master ? Integer.valueOf(each.activity.engineProcess()) : null;
            if (engine != null && each.client.processId() != own && engine == engineProcess) {
                // The process has changed hands: it served the other client when the sessions were collected.
                engine = null;
            }
            if (engine != null) {
                served.add(engine);
            }
            json.append(separator);
            client(json, each, engine);
            separator = ",";
        }
        json.append("],\"hidden\":[");
        List<String> hidden = processes.stream()
                .filter(process -> !served.contains(process))
                .map(String::valueOf)
                .toList();
        return json.append(String.join(",", hidden)).append("]}").toString();
    }

    private void client(StringBuilder json, OfClient each, @Nullable Integer engine) {
        ConnectedClient client = each.client;
        json.append("{\"pid\":")
                .append(client.processId())
                .append(",\"engine\":")
                .append(engine);
        JsonText.member(json.append(','), "role", client.user());
        JsonText.member(json.append(','), "datname", client.database());
        boolean visible = seen.visible().contains(client.user());
        if (visible) {
            json.append(",\"ssl\":");
            encryption(json, client.tls());
        }
        json.append(",\"row\":");
        String ofEngine = each.activity.node() == null
                ? null
                : seen.rows().getOrDefault(each.activity.node(), Map.of()).get(each.activity.engineProcess());
        if (visible && engine == null && ofEngine != null) {
            json.append(ofEngine, 0, ofEngine.lastIndexOf('}')).append(',');
        } else {
            json.append('{');
        }
        json.append("\"pid\":").append(client.processId());
        JsonText.member(json.append(','), "application_name", each.activity.applicationName());
        if (visible) {
            if (client.address() != null) {
                JsonText.member(
                        json.append(','),
                        "client_addr",
                        client.address().getAddress().getHostAddress());
                json.append(",\"client_port\":").append(client.address().getPort());
            } else {
                json.append(",\"client_port\":-1");
            }
            JsonText.member(json.append(','), "backend_start", client.since().toString());
        }
        if (engine == null && visible && ofEngine == null) {
            JsonText.member(json.append(','), "state", each.activity.state());
            JsonText.member(json.append(','), "query", "");
            JsonText.member(json.append(','), "backend_type", "client backend");
            if (each.activity.state().startsWith("idle")) {
                JsonText.member(json.append(','), "wait_event_type", "Client");
                JsonText.member(json.append(','), "wait_event", "ClientRead");
            }
        } else if (engine == null && !visible) {
            JsonText.member(json.append(','), "query", "<insufficient privilege>");
        }
        json.append("}}");
    }

    /** The values of {@code pg_stat_ssl}. */
    private static void encryption(StringBuilder json, @Nullable ClientTls tls) {
        if (tls == null) {
            json.append("{\"ssl\":false}");
            return;
        }
        json.append("{\"ssl\":true");
        JsonText.member(json.append(','), "version", tls.version());
        JsonText.member(json.append(','), "cipher", tls.cipher());
        json.append(",\"bits\":").append(tls.bits());
        ClientCertificate certificate = tls.certificate();
        if (certificate != null) {
            JsonText.member(json.append(','), "client_dn", certificate.subject());
            json.append(",\"client_serial\":").append(certificate.serial());
            JsonText.member(json.append(','), "issuer_dn", certificate.issuer());
        }
        json.append('}');
    }
}
