/**
 * What the benchmarks have to say differently to different engines.
 *
 * <p>In: an engine's name. Out: its SQL, and how rows get in. Values that never change; any thread.
 */
@NullMarked
package io.multimed.bench.dialect;

import org.jspecify.annotations.NullMarked;
