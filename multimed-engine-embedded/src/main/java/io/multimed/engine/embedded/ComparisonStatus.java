package io.multimed.engine.embedded;

/**
 * How far the Satellites of a database have been compared with its Master.
 *
 * @param rows compared since the database was opened, each Satellite's counted
 * @param passes over all tables of one Satellite
 * @param differences Satellites that differed and were made anew
 */
public record ComparisonStatus(long rows, long passes, long differences) {}
