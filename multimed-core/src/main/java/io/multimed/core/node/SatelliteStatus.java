package io.multimed.core.node;

/**
 * The state of a Satellite as others see it.
 *
 * @param detail a short description for people beyond the phase: progress, or the cause of the phase; empty if there is none
 */
public record SatelliteStatus(SatellitePhase phase, String detail) {
    @Override
    public String toString() {
        return detail.isEmpty() ? phase.label() : phase.label() + " (" + detail + ")";
    }
}
