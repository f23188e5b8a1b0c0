package io.multimed.mariadb;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.CopyTurns;
import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatellitePolicy;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.applied.AppliedWatch;
import io.multimed.engine.mariadb.cluster.MariaDbSatellite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Satellites of an instance, each with a worker that copies and starts it. Thread-safe. */
final class SupervisedSatellites {
    private static final Logger log = LoggerFactory.getLogger(SupervisedSatellites.class);

    private final Map<ComputationalNode, MariaDbSatellite> engines = new HashMap<>();
    private final Map<ComputationalNode, SatelliteSupervisor> supervisors = new LinkedHashMap<>();
    private final List<ExecutorService> workers = new ArrayList<>();

    /**
     * Creates the supervisors; nothing is started yet.
     *
     * @param satellites by their nodes
     */
    SupervisedSatellites(
            Map<ComputationalNode, MariaDbSatellite> satellites,
            MasterLog log,
            FreshnessGate gate,
            SatelliteListener listener) {
        engines.putAll(satellites);
        CopyTurns turns = new CopyTurns(1);
        satellites.forEach((node, engine) -> {
            ExecutorService worker = Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("multimed-" + node.id()).factory());
            SatelliteSupervisor supervisor = new SatelliteSupervisor(
                    node, engine, worker, turns, log, gate, SatellitePolicy.DEFAULT, System::nanoTime, listener);
            engine.tell(AppliedWatch.Reports.to(supervisor));
            workers.add(worker);
            supervisors.put(node, supervisor);
        });
    }

    void begin() {
        supervisors.values().forEach(SatelliteSupervisor::begin);
    }

    /** Checks deadlines; called some twenty times a second. */
    void tick() {
        supervisors.values().forEach(SatelliteSupervisor::tick);
    }

    /** Asks all engines how far they are, since a reader waits. Does not block. */
    void requestProgress() {
        engines.values().forEach(MariaDbSatellite::requestProgress);
    }

    /** Returns the private socket of a Satellite's engine. */
    Path socket(ComputationalNode node) {
        return engine(node).socket();
    }

    /** Returns the process ID of a Satellite's engine; 0 if none runs. */
    long pid(ComputationalNode node) {
        return engine(node).pid();
    }

    private MariaDbSatellite engine(ComputationalNode node) {
        return known(engines.get(node), node);
    }

    SatelliteStatus status(ComputationalNode node) {
        return known(supervisors.get(node), node).status();
    }

    private static <T> T known(@Nullable T part, ComputationalNode node) {
        if (part == null) {
            throw new IllegalArgumentException("no satellite " + node.id());
        }
        return part;
    }

    /** Whether each serves, or has failed so often that it is tried at long intervals alone. */
    boolean settled() {
        return supervisors.values().stream()
                .map(supervisor -> supervisor.status().phase())
                .allMatch(phase -> phase == SatellitePhase.SERVING
                        || phase == SatellitePhase.DOWN
                        || phase == SatellitePhase.STOPPED);
    }

    /** Stops all at the same time, waits until none is left, and frees the memory of their data. */
    void stop() {
        CompletableFuture.allOf(supervisors.values().stream()
                        .map(supervisor -> supervisor.stop().toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .join();
        workers.forEach(ExecutorService::shutdown);
        for (MariaDbSatellite engine : engines.values()) {
            try {
                engine.discardData();
            } catch (EngineException e) {
                log.warn("{}", e.getMessage());
            }
        }
    }
}
