/**
 * A raw PostgreSQL client: any bytes go out, every message comes back with its type and body.
 *
 * <p>Written from the protocol chapter of the PostgreSQL manual and independent of the product's codec, so that a
 * mistake there is not repeated here. In: an address and bytes. Out: messages, or the way the connection ended. The
 * calling thread does everything; each read has a deadline.
 */
@NullMarked
package io.multimed.testkit.wire;

import org.jspecify.annotations.NullMarked;
