package io.multimed.core.node;

import io.multimed.core.propagation.Floor;

/** What happens to a Satellite. An event that means nothing in the present state is late, and is ignored. */
sealed interface SatelliteEvent {
    /** Somebody wants this Satellite to serve. */
    record Begin() implements SatelliteEvent {}

    /** There is no data to resume from. */
    record NoData() implements SatelliteEvent {}

    /** Its turn to copy has come. */
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
     * @param incarnation which start of the engine it belonged to
     */
    record Exited(int incarnation) implements SatelliteEvent {}

    /**
     * The feed is connected.
     *
     * @param target the SCN of what was committed then
     */
    record FeedConnected(long target) implements SatelliteEvent {}

    record FeedLost() implements SatelliteEvent {}

    /** The Satellite has not answered its feed for too long. */
    record FeedSilent() implements SatelliteEvent {}

    /** It answers again. */
    record FeedHeard() implements SatelliteEvent {}

    /** The log that it needs next does not exist any more. */
    record LogGone() implements SatelliteEvent {}

    /** The engine does not do what a living engine does, whatever its feed says. */
    record Unresponsive(String reason) implements SatelliteEvent {}

    /**
     * Time passes.
     *
     * @param applied the SCN that the Satellite has applied
     * @param floor the SCN of the last commit, {@link Floor#UNKNOWN} while the Master is not heard
     * @param heard the end of the Master's log that has been heard of
     * @param frozen whether the engine's main process is stopped
     */
    record Tick(long applied, long floor, long heard, boolean frozen) implements SatelliteEvent {
        /** The SCN of what was committed by now, as far as anybody knows. */
        long committed() {
            return floor == Floor.UNKNOWN ? heard : floor;
        }
    }

    /** No process of the engine is left. */
    record Killed() implements SatelliteEvent {}

    record KillFailed(String reason) implements SatelliteEvent {}

    /** Nobody wants this Satellite any more. */
    record Stop() implements SatelliteEvent {}

    /** The engine has been stopped. */
    record EngineEnded() implements SatelliteEvent {}
}
