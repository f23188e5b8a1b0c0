package io.multimed.server;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.relay.CatalogChange;
import io.multimed.engine.postgresql.relay.RelayListener;
import io.multimed.model.NodeId;
import io.multimed.server.master.MasterCatalogs;
import io.multimed.server.satellite.PartialFeeds;
import io.multimed.server.satellite.Satellites;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the relay's events to the parts concerned. Commits wait for the relay's thread, so every handler must return at once. */
final class RelayEvents implements RelayListener {
    private static final Logger log = LoggerFactory.getLogger(RelayEvents.class);

    private final MasterCatalogs catalogs;
    private final PartialFeeds partial;
    private final Satellites satellites;
    private final Consumer<String> masterUnusable;

    /** @param masterUnusable receives the reason why the relay cannot continue with this Master; must not block */
    RelayEvents(MasterCatalogs catalogs, PartialFeeds partial, Satellites satellites, Consumer<String> masterUnusable) {
        this.catalogs = catalogs;
        this.partial = partial;
        this.satellites = satellites;
        this.masterUnusable = masterUnusable;
    }

    @Override
    public void masterConnected() {
        log.info("The relay streams from the master");
        // Catalogs may have changed unnoticed while the relay was away.
        catalogs.allMayHaveChanged();
        partial.everythingMayHaveChanged();
    }

    @Override
    public void masterLost(String reason) {
        log.info("The relay has lost the master: {}", reason);
        catalogs.allMayHaveChanged();
        partial.everythingMayHaveChanged();
    }

    @Override
    public void masterUnusable(String reason) {
        log.error("The relay cannot go on with this master: {}", reason);
        masterUnusable.accept(reason);
    }

    @Override
    public void feedConnected(NodeId satellite) {
        log.info("{} streams from the relay", satellite);
        satellites.supervisor(satellite).feedConnected();
    }

    @Override
    public void feedLost(NodeId satellite, String reason) {
        log.info("{} has left the relay: {}", satellite, reason);
        satellites.supervisor(satellite).feedLost();
    }

    @Override
    public void applied(NodeId satellite, long position) {
        // The relay has already updated the node and notified the gate.
    }

    @Override
    public void silent(NodeId satellite) {
        log.warn("{} does not answer", satellite);
        satellites.supervisor(satellite).feedSilent();
    }

    @Override
    public void heardAgain(NodeId satellite) {
        log.info("{} answers again", satellite);
        satellites.supervisor(satellite).feedHeard();
    }

    @Override
    public void logUnavailable(NodeId satellite, long position) {
        log.warn("{} needs log that is gone, from {}: it is copied anew", satellite, position);
        satellites.supervisor(satellite).logGone();
    }

    @Override
    public void catalogChanged(CatalogChange change) {
        ChangedObjects concerningOthers = catalogs.changed(change);
        partial.changed(change.with(concerningOthers));
        satellites.catalogsChanged();
    }
}
