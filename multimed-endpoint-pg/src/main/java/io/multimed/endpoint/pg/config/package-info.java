/**
 * Configuration of the endpoint: where it listens, how clients log in, limits and timeouts.
 *
 * <p>Immutable values, which the server fills from its configuration file. Any thread.
 */
@NullMarked
package io.multimed.endpoint.pg.config;

import org.jspecify.annotations.NullMarked;
