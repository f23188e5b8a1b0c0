/**
 * What reads cost, and reads that are the same: measured by the shape of their statements, and told to all who wait for the
 * same answer.
 *
 * <p>In: classified statements, and how long engines' processes were busy with them. Out: what the next of their shape is
 * expected to take, and the bytes of an answer for each who asked. Knows no session. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.reads;

import org.jspecify.annotations.NullMarked;
