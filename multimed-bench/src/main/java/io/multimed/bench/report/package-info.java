/**
 * Reports about runs: one JSON file for each, a table for all.
 *
 * <p>In: records of runs. Out: text. Knows no engine.
 */
@NullMarked
package io.multimed.bench.report;

import org.jspecify.annotations.NullMarked;
