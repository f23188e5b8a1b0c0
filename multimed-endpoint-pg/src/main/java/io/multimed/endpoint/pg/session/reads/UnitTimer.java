package io.multimed.endpoint.pg.session.reads;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.sql.Statement;
import java.util.List;

/** Measures how long a unit that has a connection to itself keeps a processor busy with the engine's process. */
public final class UnitTimer {
    private final ReadCosts costs;
    /** Empty while nothing is measured. */
    private List<Statement> statements = List.of();

    private long before;

    public UnitTimer(ReadCosts costs) {
        this.costs = costs;
    }

    /** They are going to be sent there. */
    public void begin(BackendConnection connection, List<Statement> unit) {
        before = connection.processorNanos();
        if (before >= 0) {
            statements = unit;
            costs.timed(unit);
        }
    }

    /** They have been answered. */
    public void end(BackendConnection connection) {
        if (!statements.isEmpty()) {
            long after = connection.processorNanos();
            if (after >= before) {
                costs.took(statements, after - before);
            }
            statements = List.of();
        }
    }

    /** What is measured is worth nothing, or nothing is measured. */
    public void abandon() {
        if (!statements.isEmpty()) {
            costs.gaveUpTiming(statements);
            statements = List.of();
        }
    }
}
