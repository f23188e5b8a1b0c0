package io.multimed.engine.embedded;

/**
 * Progress of the comparison of a database's Satellites with its Master.
 *
 * @param rows rows compared since the database was opened, summed over the Satellites
 * @param passes finished passes, each over all tables of one Satellite
 * @param differences number of Satellites that differed and were rebuilt
 */
public record ComparisonStatus(long rows, long passes, long differences) {}
