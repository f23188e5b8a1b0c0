/**
 * The placement of a unit: the node, a connection to it, and the handling of a unit whose connection is lost.
 *
 * <p>In: a unit whose statements are known ({@link io.multimed.endpoint.pg.session.routing.Unit}). Out: a bound connection whose
 * engine has received what must precede the unit; or a wait for freshness, visibility, a connection or another session's reply,
 * after which the unit is placed again from the start. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.routing;

import org.jspecify.annotations.NullMarked;
