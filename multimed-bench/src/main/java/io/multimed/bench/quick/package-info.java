/**
 * A check whether Multimed has become slower: a few headline ratios, measured in minutes, compared with stored ones.
 *
 * <p>In: a file of ratios. Out: a table, and which ratio has fallen. The calling thread does everything.
 */
@NullMarked
package io.multimed.bench.quick;

import org.jspecify.annotations.NullMarked;
