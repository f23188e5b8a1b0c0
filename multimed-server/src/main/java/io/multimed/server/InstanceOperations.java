package io.multimed.server;

import io.multimed.endpoint.pg.services.AdminTable;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.server.master.MasterCatalogs;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** This instance, for commands of the admin database. */
final class InstanceOperations implements Operations {
    private final MasterCatalogs catalogs;
    private final Runnable end;

    /** @param end begins to end the instance */
    InstanceOperations(MasterCatalogs catalogs, Runnable end) {
        this.catalogs = catalogs;
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
        return Operations.NONE.configuration();
    }

    @Override
    public void end() {
        end.run();
    }
}
