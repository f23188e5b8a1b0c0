package io.multimed.endpoint.pg.session.reads;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.sql.Statement;
import java.util.List;

/** Measures the processor time that the engine's process uses for a unit with a connection to itself. */
public final class UnitTimer {
    private final ReadCosts costs;
    /** The measured unit; empty while nothing is measured. */
    private List<Statement> statements = List.of();

    private long before;
    /** The bit of the node on which it is measured. */
    private long node;

    public UnitTimer(ReadCosts costs) {
        this.costs = costs;
    }

    /** Begins the measurement of a unit that is about to be sent on the connection. */
    public void begin(BackendConnection connection, List<Statement> unit) {
        before = connection.processorNanos();
        if (before >= 0) {
            statements = unit;
            node = connection.node().contents().bit();
            costs.timed(unit, node);
        }
    }

    /** Whether a unit is being measured. */
    public boolean isRunning() {
        return !statements.isEmpty();
    }

    /** Ends the measurement after the unit has been answered. */
    public void end(BackendConnection connection) {
        if (!statements.isEmpty()) {
            long after = connection.processorNanos();
            if (after >= before) {
                costs.took(statements, node, after - before);
            }
            statements = List.of();
        }
    }

    /** Abandons the measurement, if there is one. */
    public void abandon() {
        if (!statements.isEmpty()) {
            costs.gaveUpTiming(statements, node);
            statements = List.of();
        }
    }
}
