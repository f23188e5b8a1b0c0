/**
 * The Master's engine, its supervision, and its catalogs, which are read on connections of Multimed's own.
 *
 * <p>Input: crashes from its cluster, catalog changes from the relay, queries from the endpoint. Output: restarts, catalogs of its
 * databases, its roles. Two threads: {@code multimed-master} restarts, {@code multimed-catalog} reads catalogs; none of the methods
 * that the relay and the endpoint call blocks.
 */
@NullMarked
package io.multimed.server.master;

import org.jspecify.annotations.NullMarked;
