package io.multimed.core.node;

/** What the life cycle wants done. The first two take no time; the others are the worker's, one after the other. */
sealed interface SatelliteAction {
    /** Put it into rotation. */
    record Admit() implements SatelliteAction {}

    /** Take it out of rotation. */
    record Evict() implements SatelliteAction {}

    /** Ask for a turn to copy. */
    record AwaitCopyTurn() implements SatelliteAction {}

    /** Replace its data by a copy of the Master's. */
    record Copy() implements SatelliteAction {}

    /**
     * Start the engine.
     *
     * @param resume from the data of an earlier run, if there is any
     * @param incarnation the number of this start
     */
    record StartEngine(boolean resume, int incarnation) implements SatelliteAction {}

    /** Break off what the worker is doing and kill the engine. */
    record Kill() implements SatelliteAction {}

    /** Break off what the worker is doing and end the engine in an orderly way. */
    record StopEngine() implements SatelliteAction {}
}
