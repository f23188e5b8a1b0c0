/**
 * TLS of an endpoint, whatever its protocol.
 *
 * <p>In: names of PEM files. Out: a context for connections, or the reason why there is none. Stateless; any thread.
 */
@NullMarked
package io.multimed.server.tls;

import org.jspecify.annotations.NullMarked;
