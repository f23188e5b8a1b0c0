package io.multimed.core.node;

import io.multimed.core.propagation.Floor;

/** An event in the life of a Satellite. An event that has no meaning in the present state is late, and is ignored. */
sealed interface SatelliteEvent {
    /** The Satellite is requested to serve. */
    record Begin() implements SatelliteEvent {}

    /** There is no data to resume from. */
    record NoData() implements SatelliteEvent {}

    /** The Satellite's turn to copy has come. */
    record CopyTurn() implements SatelliteEvent {}

    record CopyProgressed(long copiedBytes, long totalBytes) implements SatelliteEvent {}

    record Copied() implements SatelliteEvent {}

    record CopyFailed(String reason) implements SatelliteEvent {}

    /** The engine accepts read-only connections. */
    record Started() implements SatelliteEvent {}

    record StartFailed(String reason) implements SatelliteEvent {}

    /**
     * The engine's main process has ended.
     *
     * @param incarnation the number of the start to which the process belonged
     */
    record Exited(int incarnation) implements SatelliteEvent {}

    /**
     * The feed is connected.
     *
     * @param target the SCN of the last commit at that time
     */
    record FeedConnected(long target) implements SatelliteEvent {}

    record FeedLost() implements SatelliteEvent {}

    /** The Satellite has not answered its feed for too long. */
    record FeedSilent() implements SatelliteEvent {}

    /** The Satellite answers its feed again. */
    record FeedHeard() implements SatelliteEvent {}

    /** The log that the Satellite needs next does not exist any more. */
    record LogGone() implements SatelliteEvent {}

    /** The engine does not behave like a working engine, whatever the state of its feed. */
    record Unresponsive(String reason) implements SatelliteEvent {}

    /**
     * Time has passed.
     *
     * @param applied the SCN that the Satellite has applied
     * @param floor the SCN of the last commit; {@link Floor#UNKNOWN} while the relay is not connected to the Master
     * @param heard the end of the received part of the Master's log
     * @param frozen whether the engine's main process is stopped
     */
    record Tick(long applied, long floor, long heard, boolean frozen) implements SatelliteEvent {
        /** Returns the SCN of the last commit by now, as far as is known. */
        long committed() {
            return floor == Floor.UNKNOWN ? heard : floor;
        }
    }

    /** No process of the engine is left. */
    record Killed() implements SatelliteEvent {}

    record KillFailed(String reason) implements SatelliteEvent {}

    /** The Satellite is no longer needed. */
    record Stop() implements SatelliteEvent {}

    /** The engine has been stopped. */
    record EngineEnded() implements SatelliteEvent {}
}
