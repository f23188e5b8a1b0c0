package io.multimed.endpoint.pg.backend;

/**
 * How far short reads of several clients share connections to a Satellite, one sent behind the other.
 *
 * @param connections as many are kept busy side by side before reads share them
 * @param unitsEach how many units may be under way on each; 1 for no sharing
 */
public record ReadSharing(int connections, int unitsEach) {
    /** What is left to one of several event loops. */
    public ReadSharing ofOne(int loops) {
        return new ReadSharing(Math.max(1, connections / loops), unitsEach);
    }
}
