package io.multimed.engine.mariadb.relay;

import io.multimed.engine.mariadb.GtidPosition;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.protocol.mysql.BinlogEventHeader;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.NativePassword;
import io.multimed.protocol.mysql.OkMessage;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.ServerGreeting;
import io.multimed.protocol.mysql.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a Satellite's engine, which takes Multimed for the Master.
 *
 * <p>After the login, bytes go through unchanged in both directions. Only in the stream of events does each GTID wait until the
 * relay has published its transaction. One thread for each direction.
 */
final class BinlogFeed {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogFeed.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CHUNK = 64 << 10;
    private static final int SCRAMBLE = 20;
    private static final int ACCESS_DENIED = 1045;
    /** Bytes of a packet that tell a GTID event: the packet's header, OK, the event's header, sequence number and domain. */
    private static final int TELLING = Packets.HEADER + 1 + BinlogEventHeader.BYTES + 13;

    private static final int LONGEST_LOGIN = 1 << 16;

    private final SocketChannel satellite;
    private final MasterAccess access;
    private final PublishedPosition published;
    private final Function<String, @Nullable FeedState> states;
    private final ByteBuf fromSatellite = Unpooled.buffer(CHUNK);
    /** Whether the Satellite has requested the events, so that what comes from the Master is a stream of them. */
    private volatile boolean dumping;

    private volatile boolean closed;
    private volatile @Nullable EngineConnection master;

    /** @param states finds a Satellite by its name */
    BinlogFeed(
            SocketChannel satellite,
            MasterAccess access,
            PublishedPosition published,
            Function<String, @Nullable FeedState> states) {
        this.satellite = satellite;
        this.access = access;
        this.published = published;
        this.states = states;
    }

    void run() {
        try (EngineConnection open = access.connect()) {
            satellite.setOption(StandardSocketOptions.TCP_NODELAY, true);
            master = open;
            FeedState state = logIn(open.greeting());
            if (state != null) {
                pass(open, state);
            }
        } catch (IOException | MysqlProtocolException | InterruptedException | RuntimeException e) {
            LOG.debug("a feed ends: {}", e.toString());
        } finally {
            close();
        }
    }

    /** Ends the connection. Any thread. */
    void close() {
        closed = true;
        EngineConnection open = master;
        if (open != null) {
            open.close();
        }
        try {
            satellite.close();
        } catch (IOException e) {
            LOG.debug("closing a feed: {}", e.getMessage());
        }
    }

    /** Lets the Satellite log in; returns null if it is refused. */
    private @Nullable FeedState logIn(ServerGreeting ofMaster) throws IOException, MysqlProtocolException {
        byte[] scramble = new byte[SCRAMBLE];
        for (int i = 0; i < SCRAMBLE; i++) {
            // The client takes it for a text.
            scramble[i] = (byte) (33 + RANDOM.nextInt(94));
        }
        ByteBuf greeting = Unpooled.buffer();
        new ServerGreeting(
                        ofMaster.version(),
                        ofMaster.connectionId(),
                        scramble,
                        EngineConnection.CAPABILITIES,
                        ofMaster.collation(),
                        ofMaster.status(),
                        NativePassword.NAME)
                .encode(greeting);
        send(0, greeting);
        Packets.Packet packet = Packets.read(fromSatellite, LONGEST_LOGIN);
        while (packet == null) {
            read();
            packet = Packets.read(fromSatellite, LONGEST_LOGIN);
        }
        HandshakeResponse response = HandshakeResponse.decode(packet.payload());
        FeedState state = states.apply(new String(response.user(), StandardCharsets.UTF_8));
        ByteBuf answer = Unpooled.buffer();
        if (state == null
                || !isPassword(response.reply(), scramble, state.account().password())) {
            new ErrMessage(ACCESS_DENIED, "28000", "Access denied").encode(answer);
            send(packet.sequence() + 1, answer);
            return null;
        }
        new OkMessage(Reply.OK, 0, 0, ServerStatus.AUTOCOMMIT, 0, new byte[0], List.of())
                .encode(answer, EngineConnection.CAPABILITIES);
        send(packet.sequence() + 1, answer);
        return state;
    }

    private static boolean isPassword(byte[] reply, byte[] scramble, String password) {
        return MessageDigest.isEqual(reply, NativePassword.reply(NativePassword.hash(password), scramble));
    }

    private void send(int sequence, ByteBuf payload) throws IOException {
        ByteBuf out = Unpooled.buffer();
        Packets.write(out, sequence, payload);
        write(out);
    }

    private void write(ByteBuf bytes) throws IOException {
        ByteBuffer buffer = bytes.nioBuffer();
        while (buffer.hasRemaining()) {
            satellite.write(buffer);
        }
        bytes.skipBytes(bytes.readableBytes());
    }

    private void read() throws IOException {
        fromSatellite.discardReadBytes();
        if (fromSatellite.writeBytes(satellite, CHUNK) < 0) {
            throw new EOFException("the Satellite closed the connection");
        }
    }

    private void pass(EngineConnection open, FeedState state) throws IOException, InterruptedException {
        state.connected(this);
        Thread up = Thread.ofPlatform().daemon().name("multimed-feed-up").start(() -> passUp(open));
        long number = 0;
        try {
            while (!dumping) {
                ByteBuf in = open.receive(Duration.ZERO);
                if (!dumping) {
                    write(in);
                }
            }
            number = state.begins();
            passEvents(open, state);
        } finally {
            state.disconnected(this, number);
            close();
            up.join();
        }
    }

    /** Passes on what the Satellite sends: statements, then the request for the events. */
    private void passUp(EngineConnection open) {
        try {
            while (!closed) {
                int index = fromSatellite.readerIndex();
                while (fromSatellite.writerIndex() - index > Packets.HEADER) {
                    int length = Packets.length(fromSatellite, index);
                    if (fromSatellite.writerIndex() - index < Packets.HEADER + length) {
                        break;
                    }
                    boolean first = Packets.sequence(fromSatellite, index) == 0 && length > 0;
                    if (first && fromSatellite.getUnsignedByte(index + Packets.HEADER) == MysqlCommand.BINLOG_DUMP) {
                        dumping = true;
                    }
                    index += Packets.HEADER + length;
                }
                int whole = index - fromSatellite.readerIndex();
                if (whole > 0) {
                    open.sendRaw(fromSatellite.readSlice(whole));
                }
                read();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("a Satellite's requests end: {}", e.toString());
        } finally {
            close();
        }
    }

    private void passEvents(EngineConnection open, FeedState state) throws IOException, InterruptedException {
        ByteBuf in = open.received();
        // Bytes of the present packet that go on whatever they are.
        long through = 0;
        boolean continued = false;
        while (!closed) {
            int begin = in.readerIndex();
            int index = begin;
            long held = 0;
            while (held == 0) {
                int passed = (int) Math.min(through, in.writerIndex() - index);
                index += passed;
                through -= passed;
                int there = in.writerIndex() - index;
                if (through > 0 || there < Packets.HEADER) {
                    break;
                }
                int length = Packets.length(in, index);
                if (!continued) {
                    if (there < Math.min(Packets.HEADER + length, TELLING)) {
                        break;
                    }
                    held = unpublished(in, index, length, state);
                    if (held != 0) {
                        break;
                    }
                }
                continued = length == Packets.MAX_LENGTH;
                through = Packets.HEADER + (long) length;
            }
            if (index > begin) {
                write(in.readSlice(index - begin));
            }
            if (held != 0) {
                // The commit waits for the relay just now, or the relay is away.
                while (!closed && !published.await(held)) {
                    LOG.trace("held back: {}", held);
                }
            } else {
                open.receive(Duration.ZERO);
            }
        }
    }

    /**
     * Returns the number of the transaction that begins with this packet, if the relay has not published it. Otherwise the packet may
     * go on, and the result is 0.
     */
    private long unpublished(ByteBuf in, int index, int length, FeedState state) {
        int event = index + Packets.HEADER + 1;
        if (length < TELLING - Packets.HEADER || in.getUnsignedByte(event + 4) != BinlogEventHeader.GTID) {
            return 0;
        }
        long sequence = in.getLongLE(event + BinlogEventHeader.BYTES);
        long domain = in.getUnsignedIntLE(event + BinlogEventHeader.BYTES + Long.BYTES);
        if (domain != GtidPosition.DOMAIN) {
            return 0;
        }
        if (!published.reaches(sequence)) {
            return sequence;
        }
        state.forwarded(sequence);
        return 0;
    }
}
