/**
 * What is counted while a benchmark runs: latencies, throughput, errors, what processes took and waited for, and on
 * what machine.
 *
 * <p>In: completions from clients' threads, process numbers. Out: records for reports. Knows no benchmark and no system.
 */
@NullMarked
package io.multimed.bench.measure;

import org.jspecify.annotations.NullMarked;
