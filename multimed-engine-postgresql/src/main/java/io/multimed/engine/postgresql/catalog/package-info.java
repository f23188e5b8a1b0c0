/**
 * Queries the Master: roles, catalogs, which transactions are visible.
 *
 * <p>In: the address of a node. Out: plain values for the endpoint, the SQL classifier and the core. All of it blocks and
 * belongs on the maintenance thread; {@link io.multimed.engine.postgresql.catalog.VisibilityProbe} has a thread of its own,
 * since transactions wait for it.
 */
@NullMarked
package io.multimed.engine.postgresql.catalog;

import org.jspecify.annotations.NullMarked;
