/**
 * Watches what clients wait for, where that is wanted: statements that take long are written to the log, and times are kept by shape.
 *
 * <p>In: the messages at the head of a session's input, its waits, and the ends of its units. Out: lines of the log, and
 * {@link io.multimed.endpoint.pg.session.reads.AnsweredTimes}. A session that nobody watches has nothing of it. Event loop only, but for
 * the log, which has a thread of its own.
 */
@NullMarked
package io.multimed.endpoint.pg.session.watch;

import org.jspecify.annotations.NullMarked;
