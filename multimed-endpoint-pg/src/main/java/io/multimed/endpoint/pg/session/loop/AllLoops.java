package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.session.reads.CoalescedReads;
import io.multimed.endpoint.pg.session.reads.HabitualHolders;
import io.multimed.endpoint.pg.session.reads.MeasuredTimes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The objects that the sessions of all event loops share. Each may be used on any loop.
 *
 * @param processIds the client that each backend serves
 * @param clients the clients that have logged in
 * @param loops all event loops
 * @param coalescedReads the reads that wait for a connection and may be answered for several sessions at once
 * @param habitualHolders the partial Satellites that transaction blocks need, by how they begin
 * @param measuredTimes the times that long reads take on different nodes
 * @param sequencesAsked whether any session has ever asked for the last value of a sequence
 * @param turns the sessions that hold connections, where their number is limited
 * @param closeIdle closes the connections that no session uses
 */
public record AllLoops(
        ProcessIds processIds,
        ConnectedClients clients,
        List<LoopContext> loops,
        CoalescedReads coalescedReads,
        HabitualHolders habitualHolders,
        MeasuredTimes measuredTimes,
        AtomicBoolean sequencesAsked,
        ConnectionTurns turns,
        Runnable closeIdle) {
    public AllLoops(Runnable closeIdle) {
        this(
                new ProcessIds(),
                new ConnectedClients(),
                new CopyOnWriteArrayList<>(),
                new CoalescedReads(),
                new HabitualHolders(),
                new MeasuredTimes(),
                new AtomicBoolean(),
                new ConnectionTurns(),
                closeIdle);
    }
}
