/**
 * The SPI between the core and an engine family.
 *
 * <p>The core knows a Satellite by three things: a feed that brings it changes in order, a pushed applied SCN, and the
 * data it holds. An engine family implements the interfaces here; what it pushes goes to the core's
 * {@code propagation} package. Calls that may block say so.
 */
@NullMarked
package io.multimed.engine;

import org.jspecify.annotations.NullMarked;
