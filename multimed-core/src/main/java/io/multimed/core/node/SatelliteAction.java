package io.multimed.core.node;

/** An action that the life cycle requests. The first two take no time; the worker executes the others one after the other. */
sealed interface SatelliteAction {
    /** Put the Satellite into rotation. */
    record Admit() implements SatelliteAction {}

    /** Take the Satellite out of rotation. */
    record Evict() implements SatelliteAction {}

    /** Request a turn to copy. */
    record AwaitCopyTurn() implements SatelliteAction {}

    /** Replace the Satellite's data by a copy of the Master's. */
    record Copy() implements SatelliteAction {}

    /**
     * Start the engine.
     *
     * @param resume whether to start from the data of an earlier run, if there is any
     * @param incarnation the number of this start
     */
    record StartEngine(boolean resume, int incarnation) implements SatelliteAction {}

    /** Interrupt the worker's present action and kill the engine. */
    record Kill() implements SatelliteAction {}

    /** Interrupt the worker's present action and stop the engine in an orderly way. */
    record StopEngine() implements SatelliteAction {}
}
