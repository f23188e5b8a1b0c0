/**
 * The counts made while a benchmark runs: latencies, throughput, errors, processes' use of the machine and their waits, and the
 * machine itself.
 *
 * <p>In: completions from clients' threads, process numbers. Out: records for reports. Knows no benchmark and no system.
 */
@NullMarked
package io.multimed.bench.measure;

import org.jspecify.annotations.NullMarked;
