/**
 * The client's transaction block: what is known of it, what engines have yet to be told of it, and which reads within it
 * are transactions of their own.
 *
 * <p>In: statements being sent, the status that the engine reports. Out: whether a block is open, what it takes to begin it
 * anew, what an engine is told first. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.block;

import org.jspecify.annotations.NullMarked;
