package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a Satellite's walreceiver, the walsender's side of it.
 *
 * <p>Log is never queued for a Satellite: it goes from the shared buffer to the socket when the socket takes it. A Satellite
 * that is slow costs nothing; when the buffer has moved on, it is served from the Master's files until it is back in the
 * buffer.
 *
 * <p>Relay thread.
 */
final class SatelliteFeed implements RelayLoop.Ready {
    private static final Logger LOG = LoggerFactory.getLogger(SatelliteFeed.class);

    private enum State {
        /** Nothing has been received yet. */
        STARTUP,
        /** The Satellite has introduced itself before the Master; it is answered when the Master is known. */
        INTRODUCED,
        IDLE,
        STREAMING,
        /** The contents of the control buffer are still sent. */
        CLOSING,
        CLOSED
    }

    /** Limit of a startup packet (MAX_STARTUP_PACKET_LENGTH, libpq/pqcomm.h); later messages are smaller. */
    private static final int MAX_MESSAGE = 10_000;

    private final Fanout fanout;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer in = ByteBuffer.allocateDirect(MAX_MESSAGE + 1);
    private final FeedOutput output;
    private State state = State.STARTUP;
    private @Nullable SatelliteLink link;
    private String name = "";
    private final ReplyWatch watch = new ReplyWatch();

    SatelliteFeed(Fanout fanout, SocketChannel channel) throws IOException {
        this.fanout = fanout;
        this.channel = channel;
        channel.configureBlocking(false);
        this.key = channel.register(fanout.selector(), SelectionKey.OP_READ, this);
        this.output = new FeedOutput(fanout, this, channel);
    }

    @Override
    public void ready(SelectionKey readyKey) {
        try {
            if (readyKey.isReadable()) {
                read();
            }
            if (state != State.CLOSED && readyKey.isWritable()) {
                pump();
            }
        } catch (IOException e) {
            close(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void failed(RuntimeException cause) {
        close(cause.toString());
    }

    private void read() throws IOException {
        if (channel.read(in) < 0) {
            close("the walreceiver closed the connection");
            return;
        }
        in.flip();
        boolean progressed = false;
        while (state != State.CLOSED && state != State.CLOSING && message()) {
            progressed = true;
        }
        in.compact();
        if (progressed) {
            fanout.heard();
            pump();
        }
    }

    /** Takes one message; returns whether there was a whole one. */
    private boolean message() throws IOException {
        boolean startup = state == State.STARTUP;
        int prefix = startup ? 4 : Messages.HEADER;
        int at = in.position();
        if (in.remaining() < prefix) {
            return false;
        }
        int length = in.getInt(at + prefix - 4) - 4;
        if (length < 0 || length > MAX_MESSAGE - prefix) {
            close("a message of " + length + " bytes");
            return false;
        }
        if (in.remaining() < prefix + length) {
            return false;
        }
        ByteBuffer body = in.slice(at + prefix, length);
        char type = (char) in.get(at);
        in.position(at + prefix + length);
        if (startup) {
            startup(body);
        } else {
            on(type, body);
        }
        return true;
    }

    private void startup(ByteBuffer body) throws IOException {
        int protocol = body.getInt();
        if (protocol == Messages.SSL_REQUEST || protocol == Messages.GSS_REQUEST) {
            output.control(new byte[] {'N'});
            return;
        }
        if (protocol >>> 16 != 3) {
            refuse("FATAL", "0A000", "the relay speaks protocol 3 only");
            return;
        }
        Map<String, String> parameters = new HashMap<>();
        for (String parameter = Messages.string(body); !parameter.isEmpty(); parameter = Messages.string(body)) {
            parameters.put(parameter, Messages.string(body));
        }
        String replication = parameters.getOrDefault("replication", "");
        if (!replication.matches("(?i)true|on|yes|1")) {
            refuse("FATAL", "0A000", "the relay takes physical replication connections only");
            return;
        }
        name = parameters.getOrDefault("application_name", "");
        link = fanout.link(name);
        if (link == null) {
            refuse("FATAL", "28000", "there is no satellite \"" + name + "\"");
            return;
        }
        if (protocol != Messages.PROTOCOL_3_0 || parameters.keySet().stream().anyMatch(p -> p.startsWith("_pq_."))) {
            output.control(Messages.negotiateProtocolVersion());
        }
        state = State.INTRODUCED;
        welcome();
    }

    /** Accepts the walreceiver once the Master's identity is known. */
    void welcome() throws IOException {
        MasterIdentity master = fanout.log().master();
        if (state != State.INTRODUCED || master == null) {
            return;
        }
        output.control(Messages.authenticationOk());
        output.control(Messages.parameterStatuses(master.parameters()));
        output.control(Messages.message('K', new byte[8]));
        output.control(Messages.readyForQuery());
        state = State.IDLE;
        pump();
    }

    private void on(char type, ByteBuffer body) throws IOException {
        switch (type) {
            case 'Q' -> command(Messages.string(body));
            case 'd' -> copyData(body);
            case 'c' -> {
                if (state == State.STREAMING) {
                    ended("the walreceiver ended the stream");
                    output.control(Messages.copyDone());
                    output.control(Messages.commandComplete("COPY 0"));
                    output.control(Messages.readyForQuery());
                    state = State.IDLE;
                }
            }
            case 'X' -> close("the walreceiver said goodbye");
            default -> refuse("FATAL", "08P01", "unexpected message '" + type + "'");
        }
    }

    private void command(String text) throws IOException {
        MasterIdentity master = fanout.log().master();
        if (state != State.IDLE || master == null) {
            refuse("FATAL", "08P01", "a command where none belongs");
            return;
        }
        switch (ReplicationCommand.parse(text)) {
            case ReplicationCommand.IdentifySystem ignored ->
                row(
                        "IDENTIFY_SYSTEM",
                        new String[] {"systemid", "timeline", "xlogpos", "dbname"},
                        ascii(master.systemId()),
                        ascii(Integer.toUnsignedString(master.timeline())),
                        ascii(Lsn.format(fanout.log().safeEnd())));
            case ReplicationCommand.TimelineHistory(var timeline) -> {
                MasterIdentity.History history = master.history();
                if (history == null || timeline != master.timeline()) {
                    commandError("58P01", "the relay has no history of timeline " + Integer.toUnsignedString(timeline));
                } else {
                    row("TIMELINE_HISTORY", new String[] {"filename", "content"}, history.name(), history.content());
                }
            }
            case ReplicationCommand.Show(var setting) -> {
                String value = setting(master, setting);
                if (value == null) {
                    commandError("42704", "the relay does not know the setting \"" + setting + "\"");
                } else {
                    row("SHOW", new String[] {setting}, ascii(value));
                }
            }
            case ReplicationCommand.StartReplication start -> startReplication(master, start);
            case ReplicationCommand.Unsupported(var command) ->
                commandError("0A000", "the relay does not do this: " + command);
        }
    }

    private static @Nullable String setting(MasterIdentity master, String name) {
        return switch (name) {
            case "wal_segment_size" -> master.segmentSize() / (1 << 20) + "MB";
            case "wal_block_size" -> Integer.toString(master.pageSize());
            default -> master.parameters().get(name);
        };
    }

    private void startReplication(MasterIdentity master, ReplicationCommand.StartReplication start) {
        SatelliteLink satellite = link;
        if (satellite == null) {
            throw new IllegalStateException("streaming to nobody");
        }
        if (start.timeline() != 0 && start.timeline() != master.timeline()) {
            commandError(
                    "58P01",
                    "requested timeline " + Integer.toUnsignedString(start.timeline()) + ", the master is on "
                            + Integer.toUnsignedString(master.timeline()));
            fanout.listener().logUnavailable(satellite.node().id(), start.position());
            return;
        }
        output.control(Messages.copyBothResponse());
        state = State.STREAMING;
        ComputationalNode node = satellite.node();
        // A copy brings log of its own, which the Master had written before this moment.
        node.forwarded(Math.max(node.forwarded(), Math.max(fanout.log().safeEnd(), start.position())));
        output.startAt(start.position(), node);
        fanout.streams(satellite, this);
        ask(RelayLoop.now());
    }

    private void copyData(ByteBuffer body) {
        SatelliteLink satellite = link;
        if (state != State.STREAMING || satellite == null) {
            return;
        }
        switch ((char) body.get()) {
            case 'r' -> {
                long applied = body.getLong(1 + 8 + 8);
                replied(satellite, applied);
            }
            case 'h' -> {
                body.getLong();
                long xmin = Feedback.xid(body.getInt(), body.getInt());
                long catalogXmin = Feedback.xid(body.getInt(), body.getInt());
                satellite.held().wishes(new Feedback(xmin, catalogXmin));
                fanout.feedbackChanged();
            }
            default -> {}
        }
    }

    private void replied(SatelliteLink satellite, long applied) {
        satellite.replied();
        if (watch.replied(RelayLoop.now())) {
            fanout.listener().heardAgain(satellite.node().id());
        }
        ComputationalNode node = satellite.node();
        if (applied != 0 && applied != node.applied()) {
            node.forwarded(Math.max(node.forwarded(), applied));
            node.applied(applied);
            fanout.applied(node, applied);
        }
    }

    /** Asks the Satellite for its position. */
    void ask(long now) {
        if (state == State.STREAMING && output.keepalive(true)) {
            watch.asked(now);
        }
    }

    /** Returns when the Satellite was last asked or last answered: it reports by itself whenever it has replayed all it has. */
    long lastContact() {
        return watch.lastContact();
    }

    /** Reports silence. */
    void checkSilence(long now, long bound) {
        SatelliteLink satellite = link;
        if (satellite != null && watch.fallsSilent(now, bound)) {
            fanout.listener().silent(satellite.node().id());
        }
    }

    boolean streaming() {
        return state == State.STREAMING;
    }

    /** Sends as much as the socket takes now. */
    void pump() {
        if (state == State.CLOSED) {
            return;
        }
        try {
            boolean blocked = output.pump(state == State.STREAMING);
            if (state == State.CLOSING && !blocked) {
                close("refused");
                return;
            }
            // A connection that is being refused is not read from.
            int reads = state == State.CLOSING ? 0 : SelectionKey.OP_READ;
            int interest = blocked ? reads | SelectionKey.OP_WRITE : reads;
            if (key.interestOps() != interest) {
                key.interestOps(interest);
            }
        } catch (IOException e) {
            close(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // The caller pumps all feeds when the Master's log has grown, so one feed's failure must not reach it.
            LOG.error("the feed of {} failed", name, e);
            failed(e);
        }
    }

    /** Reports that the log this Satellite needs is gone. */
    void logGone(long position, String reason) {
        SatelliteLink satellite = link;
        if (state != State.STREAMING || satellite == null) {
            return;
        }
        fanout.listener().logUnavailable(satellite.node().id(), position);
        if (output.atFrameEnd()) {
            refuse("ERROR", "58P01", "log at " + Lsn.format(position) + " has already been removed: " + reason);
            pump();
        } else {
            close("log at " + Lsn.format(position) + " is gone: " + reason);
        }
    }

    private void row(String tag, String[] names, byte[]... values) {
        output.control(Messages.row(names, values));
        output.control(Messages.commandComplete(tag));
        output.control(Messages.readyForQuery());
    }

    private void commandError(String sqlState, String text) {
        output.control(Messages.error("ERROR", sqlState, text));
        output.control(Messages.readyForQuery());
    }

    private void refuse(String severity, String sqlState, String text) {
        output.control(Messages.error(severity, sqlState, text));
        ended(text);
        state = State.CLOSING;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Notes that this connection is no longer the Satellite's stream. */
    private void ended(String reason) {
        SatelliteLink satellite = link;
        if (satellite != null && satellite.feed() == this) {
            fanout.streamEnded(satellite, reason);
        }
    }

    void close(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        output.release();
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing the connection of {}: {}", name, e.getMessage());
        }
        fanout.closed(this);
        ended(reason);
    }
}
