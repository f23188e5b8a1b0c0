package io.multimed.engine.postgresql.relay;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.LogPublication;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.catalog.ChangedObjects;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Relay's connection to the Master: a synchronous standby that confirms the log as soon as it is in memory.
 *
 * <p>All received log goes into the log buffer; its commits are found and reported to {@link MasterLog}; then {@link
 * LogPublication} publishes it.
 *
 * <p>When the connection breaks, the floor is withdrawn first. Then the Relay connects again at the same position. The Master
 * has kept that log: a synchronous standby has not confirmed it, or, after a crash, the Master only ever sends durable log.
 *
 * <p>Relay thread.
 */
final class MasterReceiver implements RelayLoop.Ready, MasterStream.Sink, CommitScanner.Commits, LogPublication.Output {
    private static final Logger LOG = LoggerFactory.getLogger(MasterReceiver.class);
    /**
     * Size of the input buffer: the largest message of a walsender's handshake, and one read of all that a Unix socket buffers.
     */
    private static final int IN_BYTES = 256 * 1024;

    private static final long FIRST_RETRY = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LAST_RETRY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long WORTH_A_WARNING = TimeUnit.SECONDS.toNanos(3);
    /** SQLSTATE for a segment that is gone (undefined_file). */
    private static final String UNDEFINED_FILE = "58P01";

    private enum State {
        /** Waiting for the time of the next attempt. */
        AWAY,
        HANDSHAKE,
        /** START_REPLICATION was sent. */
        STARTING,
        STREAMING,
        /** Lasts until {@link #resume}. */
        WITHDRAWN
    }

    private final RelayAddresses addresses;
    private final Selector selector;
    private final LogBuffer buffer;
    private final MasterLog masterLog;
    private final FreshnessGate gate;
    private final Downstream downstream;
    private final RelayListener listener;
    private final LogPublication publication;

    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);
    private final MasterOutput output = new MasterOutput();
    private final CatalogInserts inserts = new CatalogInserts();
    private final ArrayDeque<CatalogChange> catalogChanges = new ArrayDeque<>();

    private State state = State.AWAY;
    private long retryAt;
    private long streamingSince;
    private long retryDelay = FIRST_RETRY;
    /** Time at which the Relay last had the Master, or began to look for it. */
    private long awaySince = RelayLoop.now();

    private String warnedOf = "";
    private @Nullable SocketChannel channel;
    private MasterHandshake handshake = new MasterHandshake();
    private MasterStream stream = new MasterStream(this);
    private @Nullable MasterIdentity identity;
    private @Nullable CommitScanner scanner;
    private XidEpoch xids = new XidEpoch(0);
    /** Whether the log is entered once more, because the bytes received last were not understood to their end. */
    private boolean enterAnew;
    /** Whether the next log is gone, so that the Relay enters the log at its present end. */
    private boolean beginAtFlushed;

    private boolean grew;
    private boolean confirmOwed;

    MasterReceiver(
            RelayAddresses addresses,
            Selector selector,
            LogBuffer buffer,
            MasterLog masterLog,
            FreshnessGate gate,
            Downstream downstream,
            RelayListener listener) {
        this.addresses = addresses;
        this.selector = selector;
        this.buffer = buffer;
        this.masterLog = masterLog;
        this.gate = gate;
        this.downstream = downstream;
        this.listener = listener;
        publication = new LogPublication(masterLog, gate, this);
    }

    /** Connects if it is time; returns the time of the next call. */
    long onTimer(long now) {
        if (state != State.AWAY) {
            return Long.MAX_VALUE;
        }
        if (now < retryAt) {
            return retryAt;
        }
        connect();
        return state == State.AWAY ? retryAt : Long.MAX_VALUE;
    }

    private void connect() {
        handshake = new MasterHandshake();
        stream = new MasterStream(this);
        in.clear();
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(addresses.masterSocket()))) {
                // Unlike TCP, a Unix socket either connects at once or its queue is full.
                throw new IOException("the master's socket accepts no connection now");
            }
            output.open(channel, channel.register(selector, SelectionKey.OP_READ, this));
            state = State.HANDSHAKE;
            output.send(Messages.startup(addresses.user(), RelayAddresses.APPLICATION_NAME));
        } catch (IOException e) {
            lost(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void ready(SelectionKey readyKey) {
        try {
            if (readyKey.isWritable()) {
                output.flush();
            }
            if (readyKey.isReadable()) {
                read();
            }
        } catch (MasterRefusedException e) {
            refused(e);
        } catch (MalformedLogException e) {
            enterAnew = true;
            unusable(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            lost(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void failed(RuntimeException cause) {
        enterAnew = true;
        lost(cause.toString());
    }

    private void read() throws IOException, MasterRefusedException {
        SocketChannel from = channel;
        while (from != null && from == channel) {
            int room = in.remaining();
            int count = from.read(in);
            if (count < 0) {
                throw new IOException("the master closed the connection");
            }
            in.flip();
            // If this throws, nothing is published: the log that was not understood may contain commits.
            take();
            publish();
            in.compact();
            if (count < room) {
                return;
            }
        }
    }

    private void take() throws IOException, MasterRefusedException {
        while (state == State.HANDSHAKE || state == State.STARTING) {
            int at = in.position();
            if (in.remaining() < Messages.HEADER) {
                return;
            }
            char type = (char) in.get(at);
            int length = in.getInt(at + 1) - 4;
            if (length < 0 || length > IN_BYTES - Messages.HEADER) {
                throw new MasterRefusedException("08P01", "message '" + type + "' of length " + length);
            }
            if (in.remaining() < Messages.HEADER + length) {
                return;
            }
            in.position(at + Messages.HEADER + length);
            ByteBuffer body = in.slice(at + Messages.HEADER, length);
            if (state == State.STARTING && type == 'W') {
                streaming();
            } else {
                byte[] answer = handshake.on(type, body);
                if (answer != null) {
                    output.send(answer);
                } else if (state == State.HANDSHAKE && handshake.done()) {
                    startReplication(handshake.identity());
                }
            }
        }
        if (state == State.STREAMING) {
            stream.take(in);
        }
    }

    private void startReplication(MasterIdentity now) throws IOException {
        MasterIdentity before = identity;
        String objection = now.objection(before, buffer.end());
        if (objection != null) {
            unusable(objection);
            return;
        }
        identity = now;
        downstream.identified(now);
        if (before == null || enterAnew || beginAtFlushed) {
            enter(now);
        }
        state = State.STARTING;
        output.send(Messages.query("START_REPLICATION PHYSICAL " + Lsn.format(buffer.end()) + " TIMELINE "
                + Integer.toUnsignedString(now.timeline())));
    }

    /**
     * Chooses where to enter the log: the segment in which the Master's last checkpoint began. The Master writes a checkpoint
     * when it starts, and keeps the log from the last one on. So this segment exists and covers every commit since the start.
     * It must be a segment's beginning, because only there a reader can find the records. The position is read from pg_control
     * instead of by SQL, since an ordinary backend may not be free and the password is not known.
     *
     * <p>If the Master has removed that log, or the next log for a Relay that was away for long, the Relay enters at the
     * segment where the log ends now. (A walsender reports this only once it streams.) This happens just after a promotion,
     * when the last checkpoint still lies on the previous timeline.
     */
    private void enter(MasterIdentity now) throws IOException {
        ControlFile control = ControlFile.read(addresses.masterData());
        if (!Long.toUnsignedString(control.systemId()).equals(now.systemId())) {
            throw new IOException(addresses.masterData() + " is not the data directory of the master");
        }
        long from = beginAtFlushed ? now.flushed() : Math.min(control.redo(), now.flushed());
        long start = from - from % now.segmentSize();
        beginAtFlushed = false;
        enterAnew = false;
        xids = new XidEpoch(control.nextXid());
        buffer.startAt(start);
        scanner = new CommitScanner(now.segmentSize(), now.pageSize(), start, this, inserts);
    }

    private void streaming() {
        state = State.STREAMING;
        output.streams();
        streamingSince = RelayLoop.now();
        warnedOf = "";
        MasterIdentity now = identity;
        if (now == null) {
            throw new IllegalStateException("streaming from an unknown master");
        }
        masterLog.connected(now.flushed());
        LOG.debug(
                "streaming from the master at {}, its log ends at {}",
                Lsn.format(buffer.end()),
                Lsn.format(now.flushed()));
        listener.masterConnected();
        // A resumed connection may have nothing left to receive.
        grew = true;
    }

    @Override
    public void log(long position, ByteBuffer bytes) {
        if (position != buffer.end()) {
            throw new MalformedLogException(position, "arrived where " + Lsn.format(buffer.end()) + " was expected");
        }
        CommitScanner commitScanner = scanner;
        if (commitScanner == null) {
            throw new IllegalStateException("log before the start of replication");
        }
        buffer.append(bytes.duplicate());
        commitScanner.scan(bytes);
        grew = true;
    }

    @Override
    public void commit(long end, int xid, @Nullable ChangedObjects changed, int databaseOid) {
        long transaction = xids.widen(xid);
        masterLog.commit(end, transaction);
        if (changed != null) {
            catalogChanges.add(new CatalogChange(databaseOid, end, transaction, changed, inserts.taken()));
        }
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
    private void publish() throws IOException {
        CommitScanner commitScanner = scanner;
        if (!grew || commitScanner == null) {
            if (confirmOwed) {
                confirm(buffer.end());
            }
            return;
        }
        grew = false;
        xids.seen(commitScanner.newestXid());
        publication.publish(buffer.end(), commitScanner.safeEnd());
    }

    @Override
    public void announceCatalogChanges() {
        for (CatalogChange change = catalogChanges.poll(); change != null; change = catalogChanges.poll()) {
            listener.catalogChanged(change);
        }
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

    /** Sends the Satellites' feedback to the Master. */
    void feedback(Feedback wanted) {
        try {
            output.feedback(wanted);
        } catch (IOException e) {
            lost(String.valueOf(e.getMessage()));
        }
    }

    private void refused(MasterRefusedException e) {
        if (state == State.STREAMING && e.sqlState().equals(UNDEFINED_FILE)) {
            // Satellites do not find this log there either and are copied anew.
            beginAtFlushed = true;
            LOG.warn("the master no longer has its log at {}; beginning anew where it ends", Lsn.format(buffer.end()));
        }
        lost(String.valueOf(e.getMessage()));
    }

    /** Handles the loss of the connection: first withdraws the floor, then does everything else. */
    private void lost(String reason) {
        boolean wasStreaming = disconnect();
        state = State.AWAY;
        long now = RelayLoop.now();
        // Commits wait, so the first attempt is made at once, unless the lost connection was a short one.
        boolean lasted = wasStreaming && now - streamingSince > LAST_RETRY;
        retryAt = lasted ? 0 : now + retryDelay;
        retryDelay = lasted ? FIRST_RETRY : Math.min(2 * retryDelay, LAST_RETRY);
        if (wasStreaming) {
            LOG.debug("connection to the master lost: {}", reason);
            listener.masterLost(reason);
            awaySince = now;
        } else if (now - awaySince > WORTH_A_WARNING && !reason.equals(warnedOf)) {
            // There is no warning while the Master is only being stopped or started.
            LOG.warn("no connection to the master: {}", reason);
            warnedOf = reason;
        }
    }

    private void unusable(String reason) {
        disconnect();
        state = State.WITHDRAWN;
        LOG.debug("cannot follow the master: {}", reason);
        listener.masterUnusable(reason);
    }

    private boolean disconnect() {
        masterLog.disconnected();
        boolean wasStreaming = state == State.STREAMING;
        SocketChannel open = channel;
        channel = null;
        output.close();
        grew = false;
        confirmOwed = false;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("closing the connection to the master: {}", e.getMessage());
            }
        }
        if (wasStreaming) {
            gate.progressed();
        }
        return wasStreaming;
    }

    /** Makes the floor unknown and leaves the Master until {@link #resume}. */
    void withdraw() {
        disconnect();
        state = State.WITHDRAWN;
    }

    void resume() {
        if (state == State.WITHDRAWN) {
            state = State.AWAY;
            awaySince = RelayLoop.now();
            retryAt = 0;
            retryDelay = FIRST_RETRY;
        }
    }

    /** Returns the newest transaction number seen in the log, 64 bits. */
    long newestXid() {
        return xids.newest();
    }
}
