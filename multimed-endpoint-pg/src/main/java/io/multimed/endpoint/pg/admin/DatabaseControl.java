package io.multimed.endpoint.pg.admin;

import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.PausedDatabases;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.ConnectedClient;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.protocol.pg.SqlState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The databases that administrators have paused or disabled, on all event loops. Thread-safe. An empty name stands for all databases.
 */
final class DatabaseControl {
    private static final long LOOK_MILLIS = 10;

    private final Supplier<List<LoopContext>> loops;
    private final Runnable stopListening;
    private final Runnable end;
    private final Set<String> disabled = ConcurrentHashMap.newKeySet();
    private volatile PausedDatabases paused = PausedDatabases.NONE;
    private volatile boolean ending;

    /**
     * Creates the state in which nothing is paused or disabled.
     *
     * @param loops all event loops, once they exist
     * @param stopListening lets no further client connect
     * @param end begins to end the instance
     */
    DatabaseControl(Supplier<List<LoopContext>> loops, Runnable stopListening, Runnable end) {
        this.loops = loops;
        this.stopListening = stopListening;
        this.end = end;
    }

    // --- queries

    PausedDatabases paused() {
        return paused;
    }

    boolean isDisabled(String database) {
        return disabled.contains(database);
    }

    Set<String> disabled() {
        return Set.copyOf(disabled);
    }

    /** Returns whether the name stands for the database. */
    private static Predicate<String> named(String name) {
        return database -> name.isEmpty() || name.equals(database);
    }

    // --- PAUSE, RESUME, KILL, RECONNECT

    /** Pauses; completes when no client has a connection any more. */
    CompletableFuture<AdminAnswer> pause(String database) {
        synchronized (this) {
            if (paused.all()) {
                throw new CommandFailure(SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "already suspended/paused");
            }
            pauseLoops(changed(database, true));
        }
        return whenNone(
                loop -> connections(loop, named(database)).size(),
                () -> isPaused(database),
                () -> new CommandFailure(
                        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "RESUME came before all connections had been released"));
    }

    private boolean isPaused(String database) {
        PausedDatabases now = paused;
        return database.isEmpty() ? now.all() : now.covers(database);
    }

    private PausedDatabases changed(String database, boolean isPaused) {
        return database.isEmpty() ? paused.withAll(isPaused) : paused.with(database, isPaused);
    }

    private void pauseLoops(PausedDatabases now) {
        paused = now;
        loops.get().forEach(loop -> loop.loop().execute(() -> loop.backends().pause(now)));
    }

    synchronized void resume(String database) {
        if (ending) {
            throw new CommandFailure(SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "pooler is shutting down");
        }
        if (database.isEmpty() ? !paused.all() : !paused.named().contains(database)) {
            throw new CommandFailure(
                    SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
                    database.isEmpty() ? "pooler is not paused/suspended" : "database " + database + " is not paused");
        }
        pauseLoops(changed(database, false));
    }

    /** Pauses, and ends all clients and drops all connections; completes when that is done. */
    CompletableFuture<AdminAnswer> kill(String database) {
        synchronized (this) {
            pauseLoops(changed(database, true));
        }
        Predicate<String> databases = named(database);
        return ofLoops(loop -> {
                    clients(loop).stream()
                            .filter(client -> databases.test(client.database()))
                            .map(ConnectedClient::session)
                            .forEach(ClientSession::terminate);
                    loop.backends().abort(databases);
                    return 0;
                })
                .thenApply(done -> AdminAnswer.NOTHING);
    }

    /** Ends one client. @return whether there is one of this number */
    boolean killClient(int processId) {
        ConnectedClient client = loops.get().getFirst().allClients().find(processId);
        if (client != null) {
            client.terminate();
        }
        return client != null;
    }

    /** Closes all connections, each as soon as its users have left it. */
    CompletableFuture<AdminAnswer> reconnect(String database) {
        return ofLoops(loop -> {
                    loop.backends().renew(named(database));
                    return 0;
                })
                .thenApply(done -> AdminAnswer.NOTHING);
    }

    /** Completes when the connections of an earlier {@link #reconnect} are closed. */
    CompletableFuture<AdminAnswer> whenReconnected(String database) {
        return whenNone(loop -> staleCount(loop, named(database)));
    }

    private static int staleCount(LoopContext loop, Predicate<String> databases) {
        int count = 0;
        for (NodeBackends backends : loop.backends().all()) {
            count += backends.staleCount(databases);
        }
        return count;
    }

    // --- DISABLE, ENABLE

    void disable(String database) {
        disabled.add(database);
    }

    void enable(String database) {
        disabled.remove(database);
    }

    // --- SHUTDOWN

    void end() {
        ending = true;
        end.run();
    }

    /** Lets no further client connect, and ends the instance once no client has a connection to an engine. */
    @SuppressWarnings("FutureReturnValueIgnored") // The last action ends everything.
    void endWithoutServers() {
        synchronized (this) {
            ending = true;
            pauseLoops(paused.withAll(true));
        }
        stopListening.run();
        whenNone(loop -> connections(loop, named("")).size()).thenRun(end);
    }

    /** Lets no further client connect, and ends the instance once the last one has gone. */
    @SuppressWarnings("FutureReturnValueIgnored") // The last action ends everything.
    void endWithoutClients() {
        ending = true;
        stopListening.run();
        whenNone(loop -> loop.clients().size()).thenRun(end);
    }

    // --- on the loops

    private static List<ConnectedClient> clients(LoopContext loop) {
        return List.copyOf(loop.clients().values());
    }

    /** Returns the kinds of the clients' connections to such databases, one for each. */
    private static List<PoolKey> connections(LoopContext loop, Predicate<String> databases) {
        List<PoolKey> found = new ArrayList<>();
        for (NodeBackends backends : loop.backends().all()) {
            for (PoolKey kind : backends.clientKinds()) {
                if (databases.test(kind.database())) {
                    found.add(kind);
                }
            }
        }
        return found;
    }

    /** Counts all connections of clients to engines, by some property. */
    CompletableFuture<Map<String, Integer>> countConnections(Function<PoolKey, String> by) {
        return ofLoops(loop -> connections(loop, named("")).stream().map(by).toList())
                .thenApply(DatabaseControl::counts);
    }

    /** Counts all clients, by some property. */
    CompletableFuture<Map<String, Integer>> countClients(Function<ConnectedClient, String> by) {
        return ofLoops(loop -> clients(loop).stream().map(by).toList()).thenApply(DatabaseControl::counts);
    }

    private static Map<String, Integer> counts(List<List<String>> found) {
        Map<String, Integer> counts = new ConcurrentHashMap<>();
        found.forEach(some -> some.forEach(name -> counts.merge(name, 1, Integer::sum)));
        return counts;
    }

    private <T> CompletableFuture<List<T>> ofLoops(Function<LoopContext, T> part) {
        List<CompletableFuture<T>> parts = loops.get().stream()
                .map(loop -> CompletableFuture.supplyAsync(() -> part.apply(loop), loop.loop()))
                .toList();
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<AdminAnswer> whenNone(ToIntFunction<LoopContext> count) {
        return whenNone(count, () -> true, () -> null);
    }

    /**
     * Completes when the loops have none left.
     *
     * @param wanted whether to go on waiting
     * @param otherwise the failure if that is over
     */
    private CompletableFuture<AdminAnswer> whenNone(
            ToIntFunction<LoopContext> count, BooleanSupplier wanted, Supplier<@Nullable CommandFailure> otherwise) {
        CompletableFuture<AdminAnswer> none = new CompletableFuture<>();
        look(none, count, wanted, otherwise);
        return none;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Each look begins the next one.
    private void look(
            CompletableFuture<AdminAnswer> none,
            ToIntFunction<LoopContext> count,
            BooleanSupplier wanted,
            Supplier<@Nullable CommandFailure> otherwise) {
        CommandFailure over = wanted.getAsBoolean() ? null : otherwise.get();
        if (over != null) {
            none.completeExceptionally(over);
        }
        if (none.isDone()) {
            return;
        }
        ofLoops(count::applyAsInt).whenComplete((counts, failure) -> {
            if (failure != null) {
                none.completeExceptionally(failure);
            } else if (counts.stream().allMatch(each -> each == 0)) {
                none.complete(AdminAnswer.NOTHING);
            } else {
                loops.get()
                        .getFirst()
                        .loop()
                        .schedule(() -> look(none, count, wanted, otherwise), LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }
}
