/**
 * Whether Multimed has become slower: a few headline ratios, measured in minutes, against those that were stored.
 *
 * <p>In: a file of ratios. Out: a table, and which ratio has fallen. The calling thread does everything.
 */
@NullMarked
package io.multimed.bench.quick;

import org.jspecify.annotations.NullMarked;
