/**
 * The PostgreSQL endpoint, to which {@code psql}, {@code pgbench} and JDBC applications connect.
 *
 * <p>A query passes these packages in order: {@code client} (bytes, start-up, TLS), {@code auth}, {@code session} (one client
 * session: where each unit runs, and the meaning of its replies), {@code backend} (connections to the engines, pooled per event
 * loop). Each object there belongs to one event loop, which owns its clients and its share of the backends: a query never crosses
 * threads. These packages use {@code config} (the endpoint's configuration) and {@code services} (the interfaces to the rest of
 * Multimed); {@link io.multimed.endpoint.pg.PostgresEndpoint} connects them.
 */
@NullMarked
package io.multimed.endpoint.pg;

import org.jspecify.annotations.NullMarked;
