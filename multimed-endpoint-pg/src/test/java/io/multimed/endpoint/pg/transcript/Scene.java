package io.multimed.endpoint.pg.transcript;

import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.sql.DatabaseCatalog;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances of a transcript from its start.
 *
 * @param options changes the endpoint's default options
 * @param catalog of every database
 * @param secondServes whether the second Satellite serves
 * @param snapshotQuery by which the loop itself asks the Master for a snapshot; its answer is a position. Null if another thread asks
 */
record Scene(
        UnaryOperator<EndpointOptions> options,
        DatabaseCatalog catalog,
        boolean secondServes,
        @Nullable String snapshotQuery) {
    static final Scene USUAL = new Scene(UnaryOperator.identity(), DatabaseCatalog.EMPTY, false, null);

    /** At most one connection to each engine executes. */
    static final Scene ONE_CONNECTION =
            USUAL.with(options -> options.withLimits(options.limits().withConnections(1, 1)));

    Scene with(UnaryOperator<EndpointOptions> changed) {
        return new Scene(changed, catalog, secondServes, snapshotQuery);
    }

    Scene with(DatabaseCatalog other) {
        return new Scene(options, other, secondServes, snapshotQuery);
    }

    Scene withSecond() {
        return new Scene(options, catalog, true, snapshotQuery);
    }

    Scene withSnapshotQuery(String sql) {
        return new Scene(options, catalog, secondServes, sql);
    }
}
