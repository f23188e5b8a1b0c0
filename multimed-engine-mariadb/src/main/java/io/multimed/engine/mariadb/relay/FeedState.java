package io.multimed.engine.mariadb.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.mariadb.EngineAccount;
import java.util.HashSet;
import java.util.Set;

/** One Satellite as its feed knows it. Thread-safe. */
final class FeedState {
    private final ComputationalNode node;
    private final EngineAccount account;
    private final Set<BinlogFeed> feeds = new HashSet<>();
    private long streams;
    private long stream;

    FeedState(ComputationalNode node, EngineAccount account) {
        this.node = node;
        this.account = account;
    }

    ComputationalNode node() {
        return node;
    }

    EngineAccount account() {
        return account;
    }

    /** Records a connection, to be ended with the Satellite. */
    synchronized void connected(BinlogFeed feed) {
        feeds.add(feed);
    }

    synchronized void disconnected(BinlogFeed feed, long number) {
        feeds.remove(feed);
        if (stream == number) {
            stream = 0;
        }
    }

    /** Records that a stream begins; returns its number. */
    synchronized long begins() {
        streams++;
        stream = streams;
        return stream;
    }

    synchronized long stream() {
        return stream;
    }

    /** Raises the bound of what the Satellite can have shown. */
    synchronized void forwarded(long scn) {
        node.forwarded(Math.max(node.forwarded(), scn));
    }

    synchronized void disconnect() {
        feeds.forEach(BinlogFeed::close);
    }
}
