package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Satellites' side of the Relay: accepts their walreceivers, sends each the log, collects their reports.
 *
 * <p>Relay thread.
 */
final class Fanout implements Downstream {
    private static final Logger LOG = LoggerFactory.getLogger(Fanout.class);
    private final Selector selector;
    private final FeedLog log;
    private final FreshnessGate gate;
    private final RelayListener listener;
    private final List<SatelliteLink> links;
    private final List<SatelliteFeed> feeds = new ArrayList<>();
    private final WalreceiverSocket socket;
    private final PositionRequests requests;
    private final MergedFeedback feedback;
    private final LogBatching gathering = new LogBatching();
    /** Time at which the log gathered for a Satellite is due. */
    private long nextSend = Long.MAX_VALUE;

    private boolean progressed;

    Fanout(
            Path socket,
            RelayOptions options,
            Selector selector,
            FeedLog log,
            FreshnessGate gate,
            List<SatelliteLink> links,
            RelayListener listener)
            throws IOException {
        this.selector = selector;
        this.log = log;
        this.gate = gate;
        this.links = links;
        this.listener = listener;
        requests = new PositionRequests(links, log, gate, options);
        feedback = new MergedFeedback(links, options.feedback().toNanos());
        this.socket = new WalreceiverSocket(socket, selector, channel -> feeds.add(new SatelliteFeed(this, channel)));
    }

    @Override
    public void identified(MasterIdentity identity) {
        log.identified(identity);
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
        log.grown(end);
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
        feedback.readers(gathering.readLately(now));
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
        requests.demand();
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
        if (now >= requests.next()) {
            lookForReaders(now);
            requests.ask(now);
            feedback.changed();
        }
        return Math.min(Math.min(requests.next(), nextSend), socket.onTimer(now));
    }

    /** Returns the feedback of all Satellites together for the Master; null if it has not changed. */
    @Nullable
    Feedback mergedFeedback(long now, long newestXid) {
        return feedback.take(now, newestXid);
    }

    void feedbackChanged() {
        feedback.changed();
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
        feedback.changed();
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
        socket.close();
    }

    FeedLog log() {
        return log;
    }

    Selector selector() {
        return selector;
    }

    RelayListener listener() {
        return listener;
    }
}
