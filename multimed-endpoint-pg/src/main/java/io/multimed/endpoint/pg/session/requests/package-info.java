/**
 * The path of units from the client's input. Each unit is recognized, its statements are classified, and it is checked whether it
 * may run. Then it is placed and sent, or answered here if no engine is needed.
 *
 * <p>Segments of extended query messages are resolved to a value first ({@code Segment}), about which {@code SegmentStatements},
 * {@code SegmentNames}, {@code SegmentPortals} and {@code SegmentForms} answer questions. {@code SegmentOpening} examines and places
 * it; {@code SegmentAttempt} is the state of its sending, which can be begun again.
 *
 * <p>In: the client's bytes, taken only when a unit is sent or answered. Out: messages for the bound engine, and the statements
 * that were sent, for all parts of the session. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.requests;

import org.jspecify.annotations.NullMarked;
