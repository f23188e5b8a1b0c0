package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.spi.EngineException;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.model.NodeId;
import io.multimed.server.startup.StartException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The endpoint of this instance, if it is open. */
final class ListeningEndpoint {
    private final Nodes nodes;
    private volatile @Nullable PostgresEndpoint endpoint;
    private volatile int port;

    /** The start of the Master, which runs while the endpoint opens. */
    interface MasterStart {
        void start() throws EngineException, InterruptedException;
    }

    ListeningEndpoint(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Opens the endpoint while the Master starts, since both take about equally long. Clients that connect before the Master serves
     * wait for it, as they do when it is restarted.
     */
    PostgresEndpoint openWhile(MasterStart master, Callable<PostgresEndpoint> open)
            throws StartException, EngineException, InterruptedException {
        FutureTask<PostgresEndpoint> opening = new FutureTask<>(open);
        Thread opener = Thread.ofPlatform().daemon().name("multimed-listen").start(opening);
        try {
            master.start();
        } finally {
            opener.join();
            if (opening.state() == Future.State.SUCCESS) {
                endpoint = opening.resultNow();
            }
        }
        if (opening.state() != Future.State.SUCCESS) {
            throw opening.exceptionNow() instanceof StartException refused
                    ? refused
                    : new StartException(
                            "the endpoint does not start: " + opening.exceptionNow(), opening.exceptionNow());
        }
        PostgresEndpoint listening = opening.resultNow();
        port = listening.address().getPort();
        return listening;
    }

    /** Returns the endpoint; null if it is not open. */
    @Nullable
    PostgresEndpoint running() {
        return endpoint;
    }

    /** Returns the listening port; 0 before the endpoint is open. */
    int port() {
        return port;
    }

    /** Drops the endpoint's connections to a node that does not answer any more. Thread-safe; does not block. */
    void nodeGone(NodeId id) {
        PostgresEndpoint running = endpoint;
        if (running == null) {
            return;
        }
        if (id.equals(NodeId.MASTER)) {
            running.nodeGone(nodes.master());
        }
        for (ComputationalNode satellite : nodes.satellites()) {
            if (satellite.id().equals(id)) {
                running.nodeGone(satellite);
            }
        }
    }

    /** Closes the endpoint; transactions in flight have {@code patience} to end. */
    void drain(Duration patience) {
        PostgresEndpoint running = endpoint;
        if (running == null) {
            return;
        }
        try {
            running.drain(patience);
        } catch (InterruptedException e) {
            running.close();
            Thread.currentThread().interrupt();
        }
        endpoint = null;
    }
}
