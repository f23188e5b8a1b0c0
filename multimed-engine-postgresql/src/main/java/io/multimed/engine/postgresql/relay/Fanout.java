package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.MasterLog;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Satellites' side of the Relay: accepts their walreceivers, sends each the log, collects their reports.
 *
 * <p>Relay thread.
 */
final class Fanout implements RelayLoop.Ready, Downstream {
    private static final Logger LOG = LoggerFactory.getLogger(Fanout.class);
    /** Shortest time between two requests to a Satellite for its position, however many readers wait. */
    private static final long ASK_INTERVAL = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * Pause after a connection could not be accepted, as for lack of file descriptors. The connection stays ready: without a
     * pause the loop would spin.
     */
    private static final long ACCEPT_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final Selector selector;
    private final LogBuffer buffer;
    private final MasterLog masterLog;
    private final FreshnessGate gate;
    private final RelayListener listener;
    private final SegmentFiles files;
    private final List<SatelliteLink> links;
    private final List<SatelliteFeed> feeds = new ArrayList<>();
    private final long keepalive;
    private final long silence;
    private final long feedbackBound;
    private final ServerSocketChannel server;
    private final SelectionKey accepting;
    private final Path socket;

    private final LogBatching gathering = new LogBatching();
    private @Nullable MasterIdentity master;
    private long safeEnd;
    private long nextCheck;
    /** Time at which the log gathered for a Satellite is due. */
    private long nextSend = Long.MAX_VALUE;
    /** Time at which walreceivers are accepted again. */
    private long nextAccept = Long.MAX_VALUE;

    private boolean progressed;
    private boolean demanded;
    private boolean feedbackChanged;
    /** Whether there are readers on the Satellites. */
    private boolean read;

    Fanout(
            Path socket,
            RelayOptions options,
            Selector selector,
            LogBuffer buffer,
            MasterLog masterLog,
            FreshnessGate gate,
            SegmentFiles files,
            List<SatelliteLink> links,
            RelayListener listener)
            throws IOException {
        this.socket = socket;
        this.selector = selector;
        this.buffer = buffer;
        this.masterLog = masterLog;
        this.gate = gate;
        this.files = files;
        this.links = links;
        this.listener = listener;
        keepalive = options.keepalive().toNanos();
        silence = options.silence().toNanos();
        feedbackBound = options.feedback().toNanos();
        server = listen(socket);
        server.configureBlocking(false);
        accepting = server.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    private static ServerSocketChannel listen(Path socket) throws IOException {
        // An earlier run may have left the socket. The owner of the directory ensures that no other process uses it.
        Files.deleteIfExists(socket);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
            // The engines run as another user than a Multimed started by root; the directory keeps others out.
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
                feeds.add(new SatelliteFeed(this, channel));
            }
        } catch (IOException e) {
            LOG.warn("cannot accept a walreceiver: {}", e.getMessage());
            accepting.interestOps(0);
            nextAccept = RelayLoop.now() + ACCEPT_PAUSE;
        }
    }

    @Override
    public void failed(RuntimeException cause) {
        LOG.warn("a walreceiver could not be accepted");
    }

    @Override
    public void identified(MasterIdentity identity) {
        master = identity;
        for (SatelliteFeed feed : List.copyOf(feeds)) {
            try {
                feed.welcome();
            } catch (IOException e) {
                feed.close(String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public void grown(long end) {
        safeEnd = end;
        lookForReaders(RelayLoop.now());
        pumpAll();
    }

    private void lookForReaders(long now) {
        int active = 0;
        long served = 0;
        for (int i = 0; i < links.size(); i++) {
            ComputationalNode node = links.get(i).node();
            active += node.active();
            served += node.served();
        }
        gathering.look(now, active, served);
        boolean nowRead = gathering.readLately(now);
        feedbackChanged |= nowRead != read;
        read = nowRead;
    }

    private void pumpAll() {
        for (int i = 0; i < links.size(); i++) {
            SatelliteFeed feed = links.get(i).feed();
            if (feed != null) {
                feed.pump();
            }
        }
    }

    /** Whether the pending log for a Satellite is left to grow; then it is sent when it is due. */
    boolean gathers(long now, long sentAt, long pending) {
        long due = gathering.due(now, sentAt, pending);
        if (due <= now) {
            return false;
        }
        nextSend = Math.min(nextSend, due);
        return true;
    }

    /** Notes that readers wait for Satellites to make progress. */
    void demand() {
        demanded = true;
        nextCheck = 0;
        long now = RelayLoop.now();
        gathering.demanded(now);
        lookForReaders(now);
        pumpAll();
    }

    /** Asks Satellites for their positions and checks for silence; returns the time of the next call. */
    long onTimer(long now) {
        if (now >= nextSend) {
            nextSend = Long.MAX_VALUE;
            pumpAll();
        }
        if (now >= nextCheck) {
            check(now);
        }
        if (now >= nextAccept) {
            nextAccept = Long.MAX_VALUE;
            accepting.interestOps(SelectionKey.OP_ACCEPT);
        }
        return Math.min(Math.min(nextCheck, nextSend), nextAccept);
    }

    private void check(long now) {
        lookForReaders(now);
        long next = now + keepalive;
        boolean waiting = demanded && gate.readersWait();
        demanded = waiting;
        long floor = masterLog.floor();
        for (int i = 0; i < links.size(); i++) {
            SatelliteFeed feed = links.get(i).feed();
            if (feed == null) {
                continue;
            }
            boolean behind = waiting && links.get(i).node().applied() < floor;
            long due = feed.lastContact() + (behind ? ASK_INTERVAL : keepalive);
            if (now >= due) {
                feed.ask(now);
                feed.pump();
                due = now + (behind ? ASK_INTERVAL : keepalive);
            }
            next = Math.min(next, due);
            feed.checkSilence(now, silence);
        }
        nextCheck = waiting ? Math.min(next, now + ASK_INTERVAL) : next;
        feedbackChanged = true;
    }

    /** Returns the feedback of all Satellites together for the Master; null if it has not changed. */
    @Nullable
    Feedback mergedFeedback(long now, long newestXid) {
        if (!feedbackChanged) {
            return null;
        }
        feedbackChanged = false;
        if (!read) {
            // A walreceiver reports an xmin up to a second old. If no snapshot needs it, rows that are updated often
            // would keep the dead versions of that second.
            return Feedback.NONE;
        }
        long xmin = 0;
        long catalogXmin = 0;
        for (int i = 0; i < links.size(); i++) {
            Feedback granted = links.get(i).held().granted(now, newestXid, feedbackBound);
            xmin = Feedback.older(xmin, granted.xmin());
            catalogXmin = Feedback.older(catalogXmin, granted.catalogXmin());
        }
        return new Feedback(xmin, catalogXmin);
    }

    void feedbackChanged() {
        feedbackChanged = true;
    }

    @Nullable
    SatelliteLink link(String name) {
        for (SatelliteLink link : links) {
            if (link.node().id().name().equals(name)) {
                return link;
            }
        }
        return null;
    }

    /** Registers a walreceiver that streams. An older connection of the same Satellite is left over from a dead engine. */
    void streams(SatelliteLink link, SatelliteFeed feed) {
        SatelliteFeed before = link.feed();
        if (before != null && before != feed) {
            before.close("replaced by a new connection");
        }
        link.feed(feed);
        LOG.debug("{} streams", link.node().id());
        listener.feedConnected(link.node().id());
    }

    void streamEnded(SatelliteLink link, String reason) {
        link.feed(null);
        link.held().wishes(Feedback.NONE);
        feedbackChanged = true;
        LOG.debug("{} no longer streams: {}", link.node().id(), reason);
        listener.feedLost(link.node().id(), reason);
    }

    void applied(ComputationalNode node, long position) {
        progressed = true;
        listener.applied(node.id(), position);
    }

    /** Handles the end of a batch of a Satellite's messages. */
    void heard() {
        if (progressed) {
            progressed = false;
            gate.progressed();
        }
    }

    void closed(SatelliteFeed feed) {
        feeds.remove(feed);
    }

    void close() throws IOException {
        for (SatelliteFeed feed : List.copyOf(feeds)) {
            feed.close("the relay closes");
        }
        server.close();
        Files.deleteIfExists(socket);
    }

    @Nullable
    MasterIdentity master() {
        return master;
    }

    /** Returns the position up to which Satellites may be sent the log. */
    long safeEnd() {
        return safeEnd;
    }

    LogBuffer buffer() {
        return buffer;
    }

    SegmentFiles files() {
        return files;
    }

    Selector selector() {
        return selector;
    }

    RelayListener listener() {
        return listener;
    }

    Logger log() {
        return LOG;
    }
}
