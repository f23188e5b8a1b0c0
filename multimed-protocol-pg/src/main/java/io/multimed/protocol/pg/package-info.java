/**
 * The PostgreSQL frontend/backend protocol, versions 3.0 and 3.2: framing, the messages that Multimed reads and writes.
 *
 * <p>Most messages pass through Multimed as bytes; only their headers, and the few that matter for routing and session
 * state, are decoded. Knows no session, no socket and no thread.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol.html">PostgreSQL manual, chapter 54</a>
 */
@NullMarked
package io.multimed.protocol.pg;

import org.jspecify.annotations.NullMarked;
