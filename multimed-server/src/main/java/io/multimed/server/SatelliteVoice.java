package io.multimed.server;

import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatelliteState;
import io.multimed.model.NodeId;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a person, the log, and whoever holds connections to them, what becomes of the Satellites. */
final class SatelliteVoice implements SatelliteListener {
    private static final Logger log = LoggerFactory.getLogger(SatelliteVoice.class);

    private final Progress progress;
    private final Consumer<NodeId> gone;
    private final Function<NodeId, Path> engineLog;

    /**
     * @param gone told of a Satellite that is dead, frozen or about to be ended; must not block
     * @param engineLog where its engine writes why it ended
     */
    SatelliteVoice(Progress progress, Consumer<NodeId> gone, Function<NodeId, Path> engineLog) {
        this.progress = progress;
        this.gone = gone;
        this.engineLog = engineLog;
    }

    @Override
    public void changed(NodeId satellite, SatelliteState from, SatelliteState to) {
        if (to instanceof SatelliteState.Copying copying) {
            progress.advanced("copying to " + satellite, copying.copiedBytes(), copying.totalBytes());
        }
        if (from.name().equals(to.name())) {
            return;
        }
        if (to instanceof SatelliteState.Suspect
                || to instanceof SatelliteState.Fencing
                || to instanceof SatelliteState.Stopping) {
            gone.accept(satellite);
        }
        String detail = to.detail().isEmpty() ? "" : " (" + to.detail() + ")";
        if (to instanceof SatelliteState.Fencing) {
            log.warn(
                    "{} is taken out of service{}; its engine's log is {}",
                    satellite,
                    detail,
                    engineLog.apply(satellite));
        } else if (to instanceof SatelliteState.Suspect || to instanceof SatelliteState.Down) {
            log.warn("{} is {}{}", satellite, to.name(), detail);
        } else {
            log.info("{} is {}{}", satellite, to.name(), detail);
        }
        if (to instanceof SatelliteState.Serving || to instanceof SatelliteState.CatchingUp) {
            progress.step(satellite + " is " + to.name());
        }
    }
}
