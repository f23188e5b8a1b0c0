package io.multimed.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.model.NodeId;
import io.multimed.server.startup.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class SatelliteVoiceTest {
    private static final NodeId SATELLITE = NodeId.satellite(1);
    private static final SatelliteStatus QUEUED = new SatelliteStatus(SatellitePhase.QUEUED, "");
    private static final SatelliteStatus COPYING = new SatelliteStatus(SatellitePhase.COPYING, "");
    private static final SatelliteStatus SERVING = new SatelliteStatus(SatellitePhase.SERVING, "");
    private static final SatelliteStatus CATCHING_UP = new SatelliteStatus(SatellitePhase.CATCHING_UP, "");

    private final RecordedLog log = new RecordedLog();
    private final List<String> shown = new ArrayList<>();
    private final Progress progress = new Progress() {
        @Override
        public void step(String what) {
            shown.add(what);
        }

        @Override
        public void advanced(String what, long doneBytes, long totalBytes) {
            shown.add(what);
        }
    };
    private final SatelliteVoice voice =
            new SatelliteVoice(progress, gone -> {}, id -> Path.of("/srv/log", id + ".log"), log);

    private void fails(NodeId satellite, String cause) {
        voice.changed(satellite, QUEUED, COPYING);
        voice.changed(satellite, COPYING, new SatelliteStatus(SatellitePhase.DOWN, cause));
        voice.changed(satellite, new SatelliteStatus(SatellitePhase.DOWN, cause), QUEUED);
    }

    private static String notServing(NodeId satellite, String cause) {
        return satellite + " does not serve: " + cause + " (log: /srv/log/" + satellite + ".log); it is tried again";
    }

    @Test
    void whyASatelliteDoesNotServeIsAWarningOnceForAsLongAsItStays() {
        fails(SATELLITE, "the memory is full");
        fails(SATELLITE, "the memory is full");
        fails(SATELLITE, "the memory is full");
        assertEquals(List.of(notServing(SATELLITE, "the memory is full")), log.of(Level.WARN));
    }

    @Test
    void whyASatelliteDoesNotServeIsAWarningAgainWhenItChanges() {
        fails(SATELLITE, "the memory is full");
        fails(SATELLITE, "the memory is full");
        fails(SATELLITE, "the engine does not start");
        fails(SATELLITE, "the engine does not start");
        fails(SATELLITE, "the memory is full");
        assertEquals(
                List.of(
                        notServing(SATELLITE, "the memory is full"),
                        notServing(SATELLITE, "the engine does not start"),
                        notServing(SATELLITE, "the memory is full")),
                log.of(Level.WARN));
    }

    @Test
    void aSatelliteThatHasServedMeanwhileFailsForANewReason() {
        fails(SATELLITE, "the memory is full");
        voice.changed(SATELLITE, CATCHING_UP, SERVING);
        voice.changed(SATELLITE, SERVING, new SatelliteStatus(SatellitePhase.FENCING, "the memory is full"));
        assertEquals(
                List.of(notServing(SATELLITE, "the memory is full"), notServing(SATELLITE, "the memory is full")),
                log.of(Level.WARN));
    }

    @Test
    void eachSatelliteHasAReasonOfItsOwn() {
        fails(SATELLITE, "the memory is full");
        fails(NodeId.satellite(2), "the memory is full");
        assertEquals(
                List.of(
                        notServing(SATELLITE, "the memory is full"),
                        notServing(NodeId.satellite(2), "the memory is full")),
                log.of(Level.WARN));
    }

    @Test
    void aLogThatTheReasonNamesIsNotNamedTwice() {
        fails(SATELLITE, "the engine does not start (log: /srv/log/satellite-1.log)");
        assertEquals(
                List.of("satellite-1 does not serve: the engine does not start (log: /srv/log/satellite-1.log);"
                        + " it is tried again"),
                log.of(Level.WARN));
    }

    @Test
    void whoeverWaitsForAStartIsNotShownTheSameAttemptAgainAndAgain() {
        fails(SATELLITE, "the memory is full");
        fails(SATELLITE, "the memory is full");
        shown.clear();
        fails(SATELLITE, "the memory is full");
        assertEquals(List.of(), shown);
        voice.changed(SATELLITE, CATCHING_UP, SERVING);
        assertEquals(List.of("satellite-1 is serving"), shown);
    }
}
