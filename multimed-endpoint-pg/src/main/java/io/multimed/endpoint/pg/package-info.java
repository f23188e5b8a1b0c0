/**
 * The PostgreSQL endpoint: what {@code psql}, {@code pgbench} and JDBC applications connect to.
 *
 * <p>In the order of a query: {@code client} (bytes, startup, TLS), {@code auth}, {@code session} (one conversation:
 * which unit of work runs where, what its replies mean), {@code backend} (connections to the engines, pooled per event
 * loop). Each class there runs on one event loop, which owns its clients and its share of the backends: a query never
 * crosses threads. These packages use {@code config} (the endpoint's configuration) and {@code services} (the interfaces to the
 * rest of Multimed); {@link io.multimed.endpoint.pg.PostgresEndpoint} connects them.
 */
@NullMarked
package io.multimed.endpoint.pg;

import org.jspecify.annotations.NullMarked;
