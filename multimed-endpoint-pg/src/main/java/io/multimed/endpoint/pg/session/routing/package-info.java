/**
 * Where a unit runs: the node, a connection to it, and what becomes of the unit if that is lost.
 *
 * <p>In: a unit whose statements are known ({@link io.multimed.endpoint.pg.session.routing.Unit}). Out: a bound connection whose
 * engine has been told what it must know, or a wait, for freshness, visibility, a connection or another's answer; the unit is
 * then placed again from the start. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.routing;

import org.jspecify.annotations.NullMarked;
