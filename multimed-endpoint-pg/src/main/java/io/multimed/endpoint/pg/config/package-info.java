/**
 * Configuration of the endpoint: listening address, login of clients, limits and timeouts.
 *
 * <p>Immutable values, which the server fills from its configuration file. Thread-safe.
 */
@NullMarked
package io.multimed.endpoint.pg.config;

import org.jspecify.annotations.NullMarked;
