/**
 * Charts as SVG that any browser draws: lines over an axis, and horizontal bars.
 *
 * <p>In: titles, names, colours, numbers. Out: the text of a picture. It knows nothing of benchmarks. Any thread.
 */
@NullMarked
package io.multimed.bench.chart;

import org.jspecify.annotations.NullMarked;
