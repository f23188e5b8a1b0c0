package io.multimed.engine.postgresql.relay;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.LogPublication;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.wire.Lsn;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The log received from the Master: it goes into the log buffer, its commits are found, and {@link LogPublication} publishes it
 * batch by batch.
 *
 * <p>Relay thread.
 */
final class ReceivedLog implements MasterStream.Sink, LogPublication.Output {
    private final LogBuffer buffer;
    private final MasterLog masterLog;
    private final Downstream downstream;
    private final MasterOutput output;
    private final LogEntry entry;
    private final LogCommits commits;
    private final LogPublication publication;
    /** The Master whose log this is; null until one has introduced itself. */
    private @Nullable MasterIdentity master;

    private boolean grew;
    private boolean confirmOwed;

    ReceivedLog(
            LogBuffer buffer,
            MasterLog masterLog,
            FreshnessGate gate,
            Downstream downstream,
            MasterOutput output,
            LogEntry entry,
            RelayListener listener) {
        this.buffer = buffer;
        this.masterLog = masterLog;
        this.downstream = downstream;
        this.output = output;
        this.entry = entry;
        this.commits = new LogCommits(masterLog, listener);
        this.publication = new LogPublication(masterLog, gate, this);
    }

    /** Returns the end of the received log. */
    long end() {
        return buffer.end();
    }

    /** Returns the newest transaction number seen in the log, 64 bits. */
    long newestXid() {
        return commits.newestXid();
    }

    /**
     * Prepares for the log of a Master that has introduced itself.
     *
     * @return the reason why this log cannot be continued with that Master's; null if it can
     */
    @Nullable
    String follow(MasterIdentity now) throws IOException {
        String objection = now.objection(master, buffer.end());
        if (objection != null) {
            return objection;
        }
        master = now;
        downstream.identified(now);
        if (entry.isDue()) {
            LogEntry.Place place = entry.take(now);
            buffer.startAt(place.start());
            commits.enter(now, place.nextXid(), place.start());
        }
        return null;
    }

    /** Makes the floor known, since the stream has begun. */
    void connected() {
        MasterIdentity now = master;
        if (now == null) {
            throw new IllegalStateException("streaming from an unknown master");
        }
        masterLog.connected(now.flushed());
        // A resumed connection may have nothing left to receive.
        grew = true;
    }

    /** Withdraws the floor. */
    void disconnected() {
        masterLog.disconnected();
        grew = false;
        confirmOwed = false;
    }

    @Override
    public void log(long position, ByteBuffer bytes) {
        if (position != buffer.end()) {
            throw new MalformedLogException(position, "arrived where " + Lsn.format(buffer.end()) + " was expected");
        }
        buffer.append(bytes.duplicate());
        commits.scan(bytes);
        grew = true;
    }

    @Override
    public void keepalive(boolean replyRequested) {
        if (replyRequested) {
            confirmOwed = true;
        }
    }

    /**
     * Publishes the commits of a batch of reading as the floor, then confirms them to the Master, then forwards the log to the
     * Satellites.
     */
    void publish() throws IOException {
        if (!grew || !commits.entered()) {
            if (confirmOwed) {
                confirm(buffer.end());
            }
            return;
        }
        grew = false;
        publication.publish(buffer.end(), commits.safeEnd());
    }

    @Override
    public void announceCatalogChanges() {
        commits.announceCatalogChanges();
    }

    @Override
    public void confirm(long position) throws IOException {
        confirmOwed = false;
        output.confirm(position);
    }

    @Override
    public void forward(long position) {
        downstream.grown(position);
    }
}
