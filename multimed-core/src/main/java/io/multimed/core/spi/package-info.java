/**
 * The SPI between the core and an engine family.
 *
 * <p>A Satellite has three parts for the core: a feed that brings it changes in order, an applied SCN that is pushed to the core,
 * and its data. An engine family implements the interfaces here and pushes to the core's {@code propagation} package. Calls that
 * may block say so.
 */
@NullMarked
package io.multimed.core.spi;

import org.jspecify.annotations.NullMarked;
