/**
 * Authentication of clients against the Master's own roles (PostgreSQL manual, 54.3 and RFC 5802, 5929, 7677).
 *
 * <p>Input: SASL messages. Output: replies, or an error as in PostgreSQL. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.auth;

import org.jspecify.annotations.NullMarked;
