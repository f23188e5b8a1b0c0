package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.session.reads.CoalescedReads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the sessions of all event loops share. Any of these may be used on any loop.
 *
 * @param processIds which client each backend serves
 * @param clients those that have logged in
 * @param loops that there are
 * @param coalescedReads the reads that wait for a connection and may be answered for several
 * @param sequencesAsked whether anybody has ever asked what a sequence has given
 * @param closeIdle closes the connections that nobody uses
 */
public record AllLoops(
        ProcessIds processIds,
        ConnectedClients clients,
        List<LoopContext> loops,
        CoalescedReads coalescedReads,
        AtomicBoolean sequencesAsked,
        Runnable closeIdle) {
    public AllLoops(Runnable closeIdle) {
        this(
                new ProcessIds(),
                new ConnectedClients(),
                new CopyOnWriteArrayList<>(),
                new CoalescedReads(),
                new AtomicBoolean(),
                closeIdle);
    }
}
