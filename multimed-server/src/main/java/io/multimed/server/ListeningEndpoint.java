package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.engine.EngineException;
import io.multimed.model.NodeId;
import io.multimed.server.startup.StartException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The endpoint of this instance, while there is one. */
final class ListeningEndpoint {
    private final Nodes nodes;
    private volatile @Nullable PostgresEndpoint endpoint;
    private volatile int port;

    /** What is started while the endpoint opens. */
    interface MasterStart {
        void start() throws EngineException, InterruptedException;
    }

    ListeningEndpoint(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Opens it while the Master starts: the engine and what the endpoint is made of take about as long. Clients that come
     * before the Master serves wait for it, as they do when it is restarted.
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

    /** Where it listens, 0 before it does. */
    int port() {
        return port;
    }

    /** Connections to this node answer nothing any more. Any thread; does not block. */
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

    /** Ends it; what runs may go on for so long. */
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
