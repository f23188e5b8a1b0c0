/**
 * A benchmark of inserts into a table with many secondary indexes, and of reads by these: on every engine, or on a partial
 * Satellite alone.
 *
 * <p>In: sizes and the share of reads. Out: a benchmark as {@code series} runs it. Clients have a thread each.
 */
@NullMarked
package io.multimed.bench.indexed;

import org.jspecify.annotations.NullMarked;
