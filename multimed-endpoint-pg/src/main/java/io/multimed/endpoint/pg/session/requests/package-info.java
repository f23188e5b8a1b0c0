/**
 * Takes units from the client's input: which one is at its head, what its statements may do, whether it may run; then
 * has it placed and sends it, or answers it where no engine is needed.
 *
 * <p>In: the client's bytes, taken only when a unit is sent or answered. Out: messages for the bound engine, and to all
 * parts of the session the statements that have gone. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.requests;

import org.jspecify.annotations.NullMarked;
