package io.multimed.engine.postgresql.relay;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Relay's connection to the Master: a synchronous standby that confirms the log as soon as it is in memory.
 *
 * <p>All received log goes to {@link ReceivedLog}, which publishes it after each batch of reading.
 *
 * <p>When the connection breaks, the floor is withdrawn first. Then the Relay connects again at the same position. The Master
 * has kept that log: a synchronous standby has not confirmed it, or, after a crash, the Master only ever sends durable log.
 *
 * <p>It has more fields than other classes, since it is one connection in its states, and the parts that take what comes over it.
 *
 * <p>Relay thread.
 */
final class MasterReceiver implements RelayLoop.Ready {
    private static final Logger LOG = LoggerFactory.getLogger(MasterReceiver.class);
    /**
     * Size of the input buffer: the largest message of a walsender's handshake, and one read of all that a Unix socket buffers.
     */
    private static final int IN_BYTES = 256 * 1024;

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
    private final FreshnessGate gate;
    private final RelayListener listener;

    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);
    private final MasterOutput output = new MasterOutput();
    private final LogEntry entry;
    private final ReceivedLog received;
    private final Reconnection reconnection = new Reconnection(LOG);

    private State state = State.AWAY;
    private @Nullable SocketChannel channel;
    private MasterHandshake handshake = new MasterHandshake();
    private MasterStream stream;

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
        this.gate = gate;
        this.listener = listener;
        entry = new LogEntry(addresses.masterData());
        received = new ReceivedLog(buffer, masterLog, gate, downstream, output, entry, listener);
        stream = new MasterStream(received);
    }

    /** Connects if it is time; returns the time of the next call. */
    long onTimer(long now) {
        if (state != State.AWAY) {
            return Long.MAX_VALUE;
        }
        if (now < reconnection.retryAt()) {
            return reconnection.retryAt();
        }
        connect();
        return state == State.AWAY ? reconnection.retryAt() : Long.MAX_VALUE;
    }

    private void connect() {
        handshake = new MasterHandshake();
        stream = new MasterStream(received);
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
            Map<String, String> parameters = new LinkedHashMap<>();
            parameters.put("user", addresses.user());
            parameters.put("replication", "true");
            parameters.put("application_name", RelayAddresses.APPLICATION_NAME);
            output.send(Messages.startup(parameters));
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
            entry.anew();
            unusable(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            lost(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void failed(RuntimeException cause) {
        entry.anew();
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
            received.publish();
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
        String objection = received.follow(now);
        if (objection != null) {
            unusable(objection);
            return;
        }
        state = State.STARTING;
        output.send(Messages.query("START_REPLICATION PHYSICAL " + Lsn.format(received.end()) + " TIMELINE "
                + Integer.toUnsignedString(now.timeline())));
    }

    private void streaming() {
        state = State.STREAMING;
        output.streams();
        reconnection.streaming();
        received.connected();
        LOG.debug("streaming from the master at {}", Lsn.format(received.end()));
        listener.masterConnected();
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
            entry.atEnd();
            LOG.warn(
                    "the master no longer has its log at {}; beginning anew where it ends", Lsn.format(received.end()));
        }
        lost(String.valueOf(e.getMessage()));
    }

    /** Handles the loss of the connection: first withdraws the floor, then does everything else. */
    private void lost(String reason) {
        boolean wasStreaming = disconnect();
        state = State.AWAY;
        if (wasStreaming) {
            LOG.debug("connection to the master lost: {}", reason);
            listener.masterLost(reason);
        }
        reconnection.lost(wasStreaming, reason);
    }

    private void unusable(String reason) {
        disconnect();
        state = State.WITHDRAWN;
        LOG.debug("cannot follow the master: {}", reason);
        listener.masterUnusable(reason);
    }

    private boolean disconnect() {
        received.disconnected();
        boolean wasStreaming = state == State.STREAMING;
        SocketChannel open = channel;
        channel = null;
        output.close();
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
            reconnection.begin();
        }
    }

    /** Returns the newest transaction number seen in the log, 64 bits. */
    long newestXid() {
        return received.newestXid();
    }
}
