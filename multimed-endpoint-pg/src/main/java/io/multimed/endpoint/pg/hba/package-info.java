/**
 * Rules that decide which clients may log in, and how, in the format of {@code pg_hba.conf} and {@code pg_ident.conf} (PostgreSQL
 * manual, 20.1 and 20.2).
 *
 * <p>Input: files, and a description of a login. Output: the rule that decides on it. Immutable values; any thread.
 */
@NullMarked
package io.multimed.endpoint.pg.hba;

import org.jspecify.annotations.NullMarked;
