/**
 * The systems under test: started on a fresh copy of the same data, and ended without leaving anything behind.
 *
 * <p>In: a data directory. Out: a URL for clients, the nodes behind it, their processes. The calling thread does everything;
 * whatever is started ends with this JVM, even one that is killed.
 */
@NullMarked
package io.multimed.bench.system;

import org.jspecify.annotations.NullMarked;
