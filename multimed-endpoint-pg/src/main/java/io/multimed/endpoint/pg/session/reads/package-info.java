/**
 * The costs of reads, and the coalescing of equal reads. Costs are measured by the shape of statements. One reply is passed to all
 * sessions that wait for it.
 *
 * <p>In: classified statements, and the processor time that engines' processes used for them. Out: the expected cost of the next
 * read of a shape, and the bytes of a reply for each session that asked. Knows no session. Event loop only, except for coalesced
 * reads, which all event loops share.
 */
@NullMarked
package io.multimed.endpoint.pg.session.reads;

import org.jspecify.annotations.NullMarked;
