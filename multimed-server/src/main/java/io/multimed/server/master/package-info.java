/**
 * The Master's engine, its supervision, and what is read of its catalogs on connections of Multimed's own.
 *
 * <p>In: crashes from its cluster, catalog changes from the relay, questions from the endpoint. Out: restarts, what its databases
 * hold, its roles. Two threads: {@code multimed-master} restarts, {@code multimed-catalog} reads catalogs; none of the
 * methods that the relay and the endpoint call blocks.
 */
@NullMarked
package io.multimed.server.master;

import org.jspecify.annotations.NullMarked;
