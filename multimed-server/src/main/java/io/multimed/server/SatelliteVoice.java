package io.multimed.server;

import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.model.NodeId;
import io.multimed.server.startup.Progress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports state changes of the Satellites to the user, to the log, and to the holder of connections to them. */
final class SatelliteVoice implements SatelliteListener {
    private static final Trouble NONE = new Trouble("", false);

    /**
     * The last reported reason why a Satellite does not serve.
     *
     * @param again whether it has failed for this reason more than once
     */
    private record Trouble(String cause, boolean again) {}

    private final Map<NodeId, Trouble> troubles = new ConcurrentHashMap<>();
    private final Progress progress;
    private final Consumer<NodeId> gone;
    private final Function<NodeId, Path> engineLog;
    private final Logger log;

    /**
     * Creates the listener.
     *
     * @param gone called for a Satellite that is dead, frozen or about to be stopped; must not block
     * @param engineLog returns the log file of a Satellite's engine
     */
    SatelliteVoice(Progress progress, Consumer<NodeId> gone, Function<NodeId, Path> engineLog) {
        this(progress, gone, engineLog, LoggerFactory.getLogger(SatelliteVoice.class));
    }

    SatelliteVoice(Progress progress, Consumer<NodeId> gone, Function<NodeId, Path> engineLog, Logger log) {
        this.progress = progress;
        this.gone = gone;
        this.engineLog = engineLog;
        this.log = log;
    }

    @Override
    public void changed(NodeId satellite, SatelliteStatus from, SatelliteStatus to) {
        SatellitePhase phase = to.phase();
        if (from.phase() == phase) {
            return;
        }
        if (phase == SatellitePhase.SUSPECT || phase == SatellitePhase.FENCING || phase == SatellitePhase.STOPPING) {
            gone.accept(satellite);
        }
        boolean isNews = isNews(satellite);
        if (failed(from.phase(), phase)) {
            failed(satellite, to.detail());
        } else if (phase == SatellitePhase.SUSPECT) {
            log.warn("{} is {}", satellite, to);
        } else {
            log.info("{} is {}", satellite, to);
        }
        if (phase == SatellitePhase.SERVING) {
            troubles.remove(satellite);
        }
        if (phase == SatellitePhase.COPYING) {
            copying(satellite, 0, 0);
        } else if (phase == SatellitePhase.SERVING || (phase == SatellitePhase.CATCHING_UP && isNews)) {
            progress.step(satellite + " is " + phase.label());
        }
    }

    @Override
    public void copying(NodeId satellite, long copiedBytes, long totalBytes) {
        if (isNews(satellite)) {
            progress.advanced("copying to " + satellite, copiedBytes, totalBytes);
        }
    }

    @Override
    public void unforeseen(NodeId satellite, Throwable cause) {
        log.error("what happened to {} led to something that nobody has foreseen", satellite, cause);
    }

    /** Whether the change is a failure. A copy that failed leaves no engine to be fenced, so its states differ. */
    private static boolean failed(SatellitePhase from, SatellitePhase to) {
        return to == SatellitePhase.FENCING
                || (from == SatellitePhase.COPYING && (to == SatellitePhase.QUEUED || to == SatellitePhase.DOWN));
    }

    private boolean isNews(NodeId satellite) {
        return !troubles.getOrDefault(satellite, NONE).again();
    }

    /**
     * Reports a failure. Each reason is reported as a warning only once, because the Satellite is retried for as long as Multimed
     * runs.
     */
    private void failed(NodeId satellite, String cause) {
        boolean again = cause.equals(troubles.getOrDefault(satellite, NONE).cause());
        troubles.put(satellite, new Trouble(cause, again));
        String file = engineLog.apply(satellite).toString();
        String told = satellite + " does not serve: " + cause.replaceFirst("\\.$", "")
                + (cause.contains(file) ? "" : " (log: " + file + ")") + "; it is tried again";
        if (again) {
            log.info("{}", told);
        } else {
            log.warn("{}", told);
        }
    }
}
