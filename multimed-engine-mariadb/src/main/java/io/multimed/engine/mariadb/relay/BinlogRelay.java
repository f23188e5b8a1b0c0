package io.multimed.engine.mariadb.relay;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LogPublication;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.mariadb.GtidPosition;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.mariadb.wire.PacketHeads;
import io.multimed.protocol.mysql.BinlogEventHeader;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.SemiSync;
import io.multimed.protocol.mysql.ShownCommits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relay: a semi-synchronous replica of the Master, with the wait point AFTER_SYNC. The Master has a transaction in its binary log,
 * and makes it visible only when the relay has acknowledged it. The relay publishes its SCN before.
 *
 * <p>It has more fields and lines than other classes, since it is one conversation with the Master, whose state each event of the
 * binary log may change.
 *
 * <p>All methods may be called by any thread but the relay's own.
 */
public final class BinlogRelay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogRelay.class);

    /** The least number of the relay as a replica: no Satellite has one as great. */
    private static final int LEAST_SERVER_ID = 1 << 30;
    /** Number of ranges of a thousand numbers, from which each relay takes one at random. */
    private static final int RANGES = 1_000_000;
    /** Bytes kept of each event: enough for a GTID, a rotation, and the end of a transaction. */
    private static final int KEPT = 4096;
    /** The capability of a replica that understands GTIDs. */
    private static final int UNDERSTANDS_GTIDS = 4;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final Duration WORTH_A_WARNING = Duration.ofSeconds(3);

    private final MasterAccess master;
    private final MasterLog masterLog;
    private final FreshnessGate gate;
    private final BinlogListener listener;
    private final Runnable onPublished;
    private final LogPublication publication;
    private final AtomicLong schemaChanges = new AtomicLong();
    /** Those that the floor covers. */
    private volatile long publishedChanges;

    private final Object lock = new Object();
    private final Thread thread;

    /** Whether the relay is to stay away from the Master. Guarded by {@code lock}. */
    private boolean withdrawn;
    /** Whether a connection exists or is being made. Guarded by {@code lock}. */
    private boolean connected;
    /** Guarded by {@code lock}. */
    private boolean closed;
    /** Guarded by {@code lock}. */
    private @Nullable EngineConnection connection;

    // Used by the relay's thread alone:
    private final EventGroups groups = new EventGroups();
    /** The position up to which everything has been received, null before the first connection. */
    private @Nullable GtidPosition position;
    /** The server that made the last transaction, as part of its GTID. */
    private long serverOfLast;

    private long lastReceived;
    /**
     * The relay's number as a replica. Each connection has another one: the Master lets a replica of the same number wait for the end of
     * the earlier connection, and that may never come. (Its receiver of acknowledgements, {@code Ack_receiver::remove_slave} in MariaDB
     * 11.4, misses the end of a connection that was very short, until another replica comes.)
     */
    private int serverId = LEAST_SERVER_ID + ThreadLocalRandom.current().nextInt(RANGES) * 1_000;

    private String file = "";
    private boolean acknowledgementDue;
    private long positionDue;
    private boolean foreignDomain;
    private long awaySince = System.nanoTime();
    private String warnedOf = "";

    /**
     * @param masterLog written by the relay's thread alone from {@link #start} on
     * @param gate notified when the floor comes or goes
     * @param onPublished called by the relay's thread after transactions have been published and acknowledged
     */
    public BinlogRelay(
            MasterAccess master,
            MasterLog masterLog,
            FreshnessGate gate,
            BinlogListener listener,
            Runnable onPublished) {
        this.master = master;
        this.masterLog = masterLog;
        this.gate = gate;
        this.listener = listener;
        this.onPublished = onPublished;
        this.publication = new LogPublication(masterLog, gate, new Output());
        this.thread = Thread.ofPlatform().daemon().name("multimed-relay").unstarted(this::run);
    }

    /** Starts the relay's thread, which connects to the Master and keeps trying until {@link #close}. */
    public void start() {
        thread.start();
    }

    /**
     * Returns how many transactions that may have changed a schema the relay has received. It grows before the floor covers such a
     * transaction. Any thread.
     */
    public long schemaChanges() {
        return schemaChanges.get();
    }

    /** Returns how many of {@link #schemaChanges} the floor covers. It grows after the floor. Any thread. */
    public long publishedChanges() {
        return publishedChanges;
    }

    private final class Output implements LogPublication.Output {
        @Override
        public void announceCatalogChanges() {
            // The counter has grown when the transaction began.
        }

        @Override
        public void confirm(long end) throws IOException {
            if (acknowledgementDue) {
                acknowledgementDue = false;
                acknowledge();
            }
        }

        @Override
        public void forward(long end) {
            onPublished.run();
        }
    }

    private void run() {
        long pause = FIRST_PAUSE.toMillis();
        while (awaitTurn()) {
            String reason;
            boolean streamed = false;
            try (EngineConnection open = master.connect()) {
                if (!adopt(open)) {
                    continue;
                }
                String objection = begin(open);
                if (objection != null) {
                    unusable(objection);
                    continue;
                }
                streamed = true;
                listener.masterConnected();
                stream(open);
                reason = "it ended the stream";
            } catch (IOException e) {
                reason = String.valueOf(e.getMessage());
            } catch (MysqlProtocolException | RuntimeException e) {
                LOG.error("the relay could not read the Master's binary log", e);
                reason = e.toString();
            } finally {
                leave();
            }
            lost(reason, streamed);
            pause = streamed ? FIRST_PAUSE.toMillis() : Math.min(2 * pause, LONGEST_PAUSE.toMillis());
            rest(pause);
        }
        masterLog.disconnected();
    }

    /** Waits until the relay may connect; returns false when it is closed. */
    private boolean awaitTurn() {
        synchronized (lock) {
            while (withdrawn && !closed) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    LOG.debug("only close ends the relay", e);
                }
            }
            connected = !closed;
            return !closed;
        }
    }

    /** Makes a connection one that {@link #withdraw} ends; returns false if it must not be used. */
    private boolean adopt(EngineConnection open) {
        synchronized (lock) {
            if (withdrawn || closed) {
                return false;
            }
            connection = open;
            return true;
        }
    }

    /** Withdraws the floor, then tells those who wait that the Master has been left. */
    private void leave() {
        masterLog.disconnected();
        synchronized (lock) {
            connection = null;
            connected = false;
            lock.notifyAll();
        }
        gate.progressed();
    }

    private void lost(String reason, boolean streamed) {
        long now = System.nanoTime();
        if (streamed) {
            awaySince = now;
            warnedOf = "";
            LOG.debug("connection to the Master lost: {}", reason);
            listener.masterLost(reason);
        } else if (now - awaySince > WORTH_A_WARNING.toNanos() && !reason.equals(warnedOf)) {
            LOG.warn("no connection to the Master: {}", reason);
            warnedOf = reason;
        }
    }

    private void unusable(String reason) {
        synchronized (lock) {
            withdrawn = true;
        }
        leave();
        listener.masterUnusable(reason);
    }

    private void rest(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (lock) {
            try {
                long left = millis;
                while (!closed && !withdrawn && left > 0) {
                    lock.wait(left);
                    left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                }
            } catch (InterruptedException e) {
                LOG.debug("only close ends the relay", e);
            }
        }
    }

    /** Registers as a replica and asks for the log; returns why the relay cannot follow this Master, or null. */
    private @Nullable String begin(EngineConnection open) throws IOException {
        doubtUnlessCommitsWait(open);
        GtidPosition from = position;
        if (from == null) {
            // Commits behind it that are in the log already wait for the relay's acknowledgement.
            from = shown(open);
            position = from;
            lastReceived = from.scn();
        }
        GtidPosition now = GtidPosition.parse(string(open.value("SELECT @@GLOBAL.gtid_binlog_pos")));
        if (now.scn() < lastReceived) {
            return "the Master's binary log ends at " + now + ", before the commit " + lastReceived
                    + " that the relay has received";
        }
        boolean checksums = !"NONE".equals(string(open.value("SELECT @@GLOBAL.binlog_checksum")));
        groups.restart(checksums);
        acknowledgementDue = false;
        foreignDomain = now.hasOtherDomains();
        if (foreignDomain) {
            from = now;
            lastReceived = now.scn();
            LOG.warn("The Master's binary log has GTIDs of several domains ({}): reads run on the Master", now);
        }
        for (String setting : List.of(
                "SET @master_heartbeat_period = 1000000000",
                "SET @master_binlog_checksum = @@GLOBAL.binlog_checksum",
                "SET @mariadb_slave_capability = " + UNDERSTANDS_GTIDS,
                "SET @slave_connect_state = '" + startingFrom(from) + "'",
                "SET @slave_gtid_strict_mode = 0",
                "SET @slave_gtid_ignore_duplicates = 0",
                "SET @rpl_semi_sync_slave = 1")) {
            open.execute(setting);
        }
        serverId++;
        open.send(0, registration());
        open.receive(Duration.ofSeconds(5));
        PacketHeads answer = new PacketHeads(KEPT);
        while (!answer.take(open.received())) {
            open.receive(Duration.ofSeconds(5));
        }
        if (answer.head().getUnsignedByte(0) == Reply.ERR) {
            return "the Master takes no replica: " + answer.head().toString(StandardCharsets.UTF_8);
        }
        open.send(0, dump());
        if (!foreignDomain) {
            masterLog.connected(now.scn());
            masterLog.received(lastReceived);
            gate.progressed();
        }
        LOG.debug("streaming from the Master after {}", startingFrom(from));
        return null;
    }

    /** Returns the position up to which the Master shows all commits. */
    private static GtidPosition shown(EngineConnection open) throws IOException {
        open.execute(ShownCommits.BEGIN);
        String shown = open.value(ShownCommits.QUERY);
        open.execute(ShownCommits.END);
        if (shown == null) {
            throw new IOException("the Master does not tell which of the commits in its binary log it shows");
        }
        return GtidPosition.parse(shown);
    }

    /** Begins a doubt, which {@link SemiSyncWatch} ends, if commits do not wait for the relay at present. */
    private void doubtUnlessCommitsWait(EngineConnection open) throws IOException {
        if (!open.status("Rpl_semi_sync_master_status").equals("ON")
                || !"AFTER_SYNC".equals(open.value("SELECT @@GLOBAL.rpl_semi_sync_master_wait_point"))) {
            masterLog.doubt();
        }
    }

    /** Returns the GTIDs after which the log is requested. */
    private String startingFrom(GtidPosition from) {
        return from.scn() == lastReceived
                ? from.toString()
                : GtidPosition.DOMAIN + "-" + serverOfLast + "-" + lastReceived;
    }

    private static String string(@Nullable String value) {
        return value == null ? "" : value;
    }

    private ByteBuf registration() {
        ByteBuf command = Unpooled.buffer();
        command.writeByte(MysqlCommand.REGISTER_SLAVE).writeIntLE(serverId);
        // Host, user and password, which the Master would only show; port, rank and the Master's number.
        command.writeZero(3).writeShortLE(0).writeIntLE(0).writeIntLE(0);
        return command;
    }

    private ByteBuf dump() {
        ByteBuf command = Unpooled.buffer();
        // Position and file are those of the GTIDs.
        command.writeByte(MysqlCommand.BINLOG_DUMP)
                .writeIntLE(4)
                .writeShortLE(0)
                .writeIntLE(serverId);
        return command;
    }

    private void stream(EngineConnection open) throws IOException, MysqlProtocolException {
        PacketHeads packets = new PacketHeads(KEPT);
        while (true) {
            boolean ended = false;
            while (packets.take(open.received())) {
                ended |= event(packets.head(), packets.length());
            }
            // One publication and one acknowledgement for all that has come at once, as with commits that go together.
            if (ended) {
                publication.publish(lastReceived, lastReceived);
                boolean isAmidChange = groups.isOpen() && changesSchema(groups.current());
                publishedChanges = schemaChanges.get() - (isAmidChange ? 1 : 0);
            } else if (acknowledgementDue) {
                acknowledgementDue = false;
                acknowledge();
            }
            open.receive(Duration.ZERO);
        }
    }

    private void acknowledge() throws IOException {
        EngineConnection open;
        synchronized (lock) {
            open = connection;
        }
        if (open == null) {
            throw new IOException("withdrawn");
        }
        ByteBuf reply = Unpooled.buffer();
        SemiSync.acknowledge(reply, file, positionDue);
        open.send(0, reply);
    }

    /**
     * Takes an event.
     *
     * @return whether a transaction has ended with it
     */
    private boolean event(ByteBuf packet, long packetLength) throws IOException, MysqlProtocolException {
        int first = packet.getUnsignedByte(packet.readerIndex());
        if (first == Reply.ERR) {
            throw new IOException(
                    "the Master ends the stream: " + ErrMessage.decode(packet).message());
        }
        if (first == Reply.EOF) {
            throw new IOException("the Master ends the stream");
        }
        packet.skipBytes(1);
        boolean needsAcknowledgement = SemiSync.readPrefix(packet);
        long length = packetLength - 3;
        BinlogEventHeader header = BinlogEventHeader.decode(packet);
        if (header.type() == BinlogEventHeader.ROTATE) {
            rotated(packet, length);
            return false;
        }
        boolean began = header.type() == BinlogEventHeader.GTID;
        boolean ended = groups.ends(header, packet, length);
        if (began) {
            begun(header);
        }
        if (ended && groups.current().domain() != GtidPosition.DOMAIN) {
            ended = false;
        } else if (ended) {
            lastReceived = groups.current().sequence();
            masterLog.commit(lastReceived, lastReceived);
        }
        if (needsAcknowledgement) {
            // With the end of a transaction; what the Master takes for an end the relay must too.
            if (groups.isOpen()) {
                throw new MysqlProtocolException("the Master waits within the transaction "
                        + groups.current().sequence());
            }
            acknowledgementDue = true;
            positionDue = header.nextPosition();
        }
        return ended;
    }

    private static boolean changesSchema(BinlogEventHeader.Gtid gtid) {
        return (gtid.flags() & (BinlogEventHeader.Gtid.DDL | BinlogEventHeader.Gtid.STANDALONE)) != 0;
    }

    private void begun(BinlogEventHeader header) {
        BinlogEventHeader.Gtid gtid = groups.current();
        serverOfLast = header.serverId();
        if (changesSchema(gtid)) {
            schemaChanges.incrementAndGet();
        }
        if (gtid.domain() != GtidPosition.DOMAIN && !foreignDomain) {
            foreignDomain = true;
            masterLog.disconnected();
            gate.progressed();
            LOG.warn(
                    "A transaction of the GTID domain {} has no place in the order of commits: reads run on the Master until"
                            + " Multimed is started again on a binary log of one domain",
                    gtid.domain());
        }
    }

    /** Notes the file that follows: eight bytes of position, then the name. */
    private void rotated(ByteBuf body, long length) {
        int name = (int) length - BinlogEventHeader.BYTES - Long.BYTES;
        String text = body.toString(body.readerIndex() + Long.BYTES, name, StandardCharsets.ISO_8859_1);
        // An event that the Master makes for the relay alone may lack the checksum behind the name.
        file = text.replaceFirst("(\\.\\d+).*$", "$1");
    }

    /**
     * Makes the floor unknown and leaves the Master; both have happened when this returns. From then on commits wait on the Master.
     * It is called before the Master is restarted, so that a restarted Master shows no commit that the relay has not received.
     */
    public void withdraw() throws InterruptedException {
        synchronized (lock) {
            withdrawn = true;
            if (connection != null) {
                connection.close();
            }
            lock.notifyAll();
            while (connected) {
                lock.wait();
            }
        }
    }

    /** Connects to the Master again after {@link #withdraw} or {@link BinlogListener#masterUnusable}. */
    public void resume() {
        synchronized (lock) {
            withdrawn = false;
            lock.notifyAll();
        }
    }

    /** Makes the floor unknown, closes the connection and ends the thread. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            if (connection != null) {
                connection.close();
            }
            lock.notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
