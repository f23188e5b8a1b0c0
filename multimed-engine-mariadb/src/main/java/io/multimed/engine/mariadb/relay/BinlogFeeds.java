package io.multimed.engine.mariadb.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of the binary log to the Satellites. A Satellite replicates from here as from the Master, with which it speaks through
 * Multimed; but no transaction goes on to it before the relay has published that transaction, so no Satellite shows a commit that the
 * floor does not cover.
 *
 * <p>Listens on the loopback interface, since an engine replicates over TCP alone; who connects needs a Satellite's password, which
 * is made anew at each start. Any thread may call any method.
 */
public final class BinlogFeeds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogFeeds.class);

    private final MasterAccess master;
    private final PublishedPosition published;
    private final Map<String, FeedState> states = new HashMap<>();
    private final ServerSocketChannel listening;
    private final Thread thread;

    /**
     * Begins to listen.
     *
     * @param masterLog tells how far the relay has published
     * @param satellites those that may connect, recognised by their names
     */
    public BinlogFeeds(MasterAccess master, MasterLog masterLog, List<ComputationalNode> satellites)
            throws IOException {
        this.master = master;
        this.published = new PublishedPosition(masterLog);
        for (ComputationalNode satellite : satellites) {
            states.put(
                    satellite.id().name(),
                    new FeedState(satellite, EngineAccount.fresh(satellite.id().name())));
        }
        listening = ServerSocketChannel.open();
        try {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            listening.close();
            throw e;
        }
        thread = Thread.ofPlatform().daemon().name("multimed-feeds").start(this::accept);
    }

    /** Tells the feeds that the relay has published more. Cheap; never blocks for long. */
    public void published() {
        published.advanced();
    }

    /** Returns where a Satellite gets the log. */
    public FeedAddress address(NodeId satellite) throws IOException {
        return new FeedAddress(
                ((InetSocketAddress) listening.getLocalAddress()).getPort(),
                state(satellite).account());
    }

    /**
     * Returns the number of the stream that a Satellite's engine receives now; 0 if it receives none. Each stream has another number.
     */
    public long stream(NodeId satellite) {
        return state(satellite).stream();
    }

    /** Ends a Satellite's connections, as when its engine has been killed. */
    public void disconnect(NodeId satellite) {
        state(satellite).disconnect();
    }

    private FeedState state(NodeId satellite) {
        FeedState state = states.get(satellite.name());
        if (state == null) {
            throw new IllegalArgumentException("no satellite " + satellite);
        }
        return state;
    }

    private void accept() {
        while (listening.isOpen()) {
            try {
                SocketChannel channel = listening.accept();
                Thread.ofPlatform()
                        .daemon()
                        .name("multimed-feed")
                        .start(() -> new BinlogFeed(channel, master, published, this::find).run());
            } catch (IOException e) {
                if (listening.isOpen()) {
                    LOG.warn("A Satellite's connection was not accepted: {}", e.getMessage());
                }
            }
        }
    }

    private @Nullable FeedState find(String user) {
        return states.get(user);
    }

    /** Ends all connections and stops listening. */
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            LOG.debug("closing the feeds: {}", e.getMessage());
        }
        states.values().forEach(FeedState::disconnect);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
