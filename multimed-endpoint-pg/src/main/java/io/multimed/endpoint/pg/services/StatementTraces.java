package io.multimed.endpoint.pg.services;

/** Receives the statements that belong to a trace of the client's application. */
@FunctionalInterface
public interface StatementTraces {
    /**
     * Takes a statement that has been answered. Called on event loops; must not block.
     *
     * @param traceParent the trace context that a comment of the statement names, in the form of W3C's "Trace Context"
     */
    void answered(String traceParent, WatchedStatement statement);
}
