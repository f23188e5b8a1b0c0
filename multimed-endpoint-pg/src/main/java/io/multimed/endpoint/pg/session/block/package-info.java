/**
 * The client's transaction block: its state, the part of it that has still to be sent to an engine, and the reads within it that
 * are transactions of their own.
 *
 * <p>In: statements being sent, the status that the engine reports. Out: whether a block is open, the information needed to begin
 * it anew, and the statements that an engine is sent first. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.block;

import org.jspecify.annotations.NullMarked;
