package io.multimed.server;

import io.multimed.core.counters.AdminTable;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.server.config.Reloaded;
import io.multimed.server.master.MasterCatalogs;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** This instance, for commands of the admin database. */
final class InstanceOperations implements Operations {
    private final MasterCatalogs catalogs;
    private final Reloading reloading;
    private final Runnable end;

    /** @param end begins to end the instance */
    InstanceOperations(MasterCatalogs catalogs, Reloading reloading, Runnable end) {
        this.catalogs = catalogs;
        this.reloading = reloading;
        this.end = end;
    }

    @Override
    public CompletableFuture<Optional<Set<String>>> databases() {
        return catalogs.databases();
    }

    @Override
    public String version() {
        return Multimed.VERSION;
    }

    @Override
    public AdminTable configuration() {
        return reloading.table();
    }

    @Override
    public CompletableFuture<ReloadResult> reload() {
        CompletableFuture<ReloadResult> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("multimed-configuration").start(() -> {
            try {
                Reloaded reloaded = reloading.reload();
                result.complete(new ReloadResult(reloaded.problems(), reloaded.lines()));
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    @Override
    public void end() {
        end.run();
    }
}
