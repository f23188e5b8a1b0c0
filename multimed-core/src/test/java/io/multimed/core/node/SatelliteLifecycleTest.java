package io.multimed.core.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.RunningState.CatchingUp;
import io.multimed.core.node.RunningState.Connecting;
import io.multimed.core.node.RunningState.Serving;
import io.multimed.core.node.RunningState.Suspect;
import io.multimed.core.node.SatelliteAction.Admit;
import io.multimed.core.node.SatelliteAction.AwaitCopyTurn;
import io.multimed.core.node.SatelliteAction.Copy;
import io.multimed.core.node.SatelliteAction.Evict;
import io.multimed.core.node.SatelliteAction.Kill;
import io.multimed.core.node.SatelliteAction.StartEngine;
import io.multimed.core.node.SatelliteAction.StopEngine;
import io.multimed.core.node.SatelliteEvent.Begin;
import io.multimed.core.node.SatelliteEvent.Copied;
import io.multimed.core.node.SatelliteEvent.CopyFailed;
import io.multimed.core.node.SatelliteEvent.CopyProgressed;
import io.multimed.core.node.SatelliteEvent.CopyTurn;
import io.multimed.core.node.SatelliteEvent.Differs;
import io.multimed.core.node.SatelliteEvent.EngineEnded;
import io.multimed.core.node.SatelliteEvent.Exited;
import io.multimed.core.node.SatelliteEvent.FeedConnected;
import io.multimed.core.node.SatelliteEvent.FeedHeard;
import io.multimed.core.node.SatelliteEvent.FeedLost;
import io.multimed.core.node.SatelliteEvent.FeedSilent;
import io.multimed.core.node.SatelliteEvent.KillFailed;
import io.multimed.core.node.SatelliteEvent.Killed;
import io.multimed.core.node.SatelliteEvent.LogGone;
import io.multimed.core.node.SatelliteEvent.NoData;
import io.multimed.core.node.SatelliteEvent.StartFailed;
import io.multimed.core.node.SatelliteEvent.Started;
import io.multimed.core.node.SatelliteEvent.Stop;
import io.multimed.core.node.SatelliteEvent.Tick;
import io.multimed.core.node.SatelliteEvent.TryNow;
import io.multimed.core.node.SatelliteEvent.Unresponsive;
import io.multimed.core.node.SatelliteState.Copying;
import io.multimed.core.node.SatelliteState.Down;
import io.multimed.core.node.SatelliteState.Fencing;
import io.multimed.core.node.SatelliteState.Queued;
import io.multimed.core.node.SatelliteState.Starting;
import io.multimed.core.node.SatelliteState.Stopped;
import io.multimed.core.node.SatelliteState.Stopping;
import io.multimed.core.propagation.Floor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SatelliteLifecycleTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long TARGET = 500;

    private final SatelliteLifecycle satellite = new SatelliteLifecycle(SatellitePolicy.DEFAULT);
    private long now = 1_000 * SECOND;

    @Test
    void resumesFromItsDataAndServesOnceCaughtUp() {
        on(new Begin(), new StartEngine(true, 1));
        is(new Starting(false, 0, false));
        on(new FeedConnected(TARGET));
        is(new Starting(true, TARGET, false));
        on(new Started());
        is(catchingUp(0, TARGET, false));
        on(tick(TARGET - 1));
        is(catchingUp(TARGET - 1, TARGET, false));
        on(tick(TARGET), new Admit());
        is(serving(TARGET));
    }

    @Test
    void copyThatIsAheadOfTheRelayHasToWaitForIt() {
        on(new Begin(), new StartEngine(true, 1));
        on(new FeedConnected(TARGET));
        on(new Started());
        on(new Tick(TARGET + 10, TARGET, TARGET + 9, false));
        is(catchingUp(TARGET + 10, TARGET, false));
        on(new Tick(TARGET + 10, TARGET, TARGET + 10, false), new Admit());
    }

    @Test
    void isCopiedWhenThereIsNothingToResumeFrom() {
        on(new Begin(), new StartEngine(true, 1));
        on(new NoData(), new AwaitCopyTurn());
        is(new Queued("no data to resume from"));
        on(new CopyTurn(), new Copy());
        is(new Copying(0, 0));
        on(new CopyProgressed(3, 10));
        is(new Copying(3, 10));
        on(new Copied(), new StartEngine(false, 2));
        is(new Starting(false, 0, false));
    }

    @Test
    void feedThatConnectsAfterTheStartCounts() {
        on(new Begin(), new StartEngine(true, 1));
        on(new Started());
        is(new Connecting(now + 30 * SECOND, false));
        on(tick(9_999));
        on(new FeedConnected(TARGET), new Evict());
        is(catchingUp(0, TARGET, false));
    }

    @Test
    void feedLostDuringTheStartDoesNotCount() {
        on(new Begin(), new StartEngine(true, 1));
        on(new FeedConnected(TARGET));
        on(new FeedLost());
        on(new Started());
        is(new Connecting(now + 30 * SECOND, false));
    }

    @Test
    void isCopiedWhenItCannotBeResumed() {
        on(new Begin(), new StartEngine(true, 1));
        on(new StartFailed("no checkpoint"), new Evict(), new Kill());
        is(new Fencing("start failed: no checkpoint", true, Fencing.NEVER));
        on(new Killed(), new AwaitCopyTurn());
        is(new Queued("start failed: no checkpoint"));
    }

    @Test
    void engineThatEndsAmidItsStartFailsForTheReasonThatTheStartGives() {
        on(new Begin(), new StartEngine(true, 1));
        on(new Exited(1));
        on(new StartFailed("no checkpoint"), new Evict(), new Kill());
        is(new Fencing("start failed: no checkpoint", true, Fencing.NEVER));
    }

    @Test
    void engineThatEndsAsSoonAsItHasStartedIsNotTakenForARunningOne() {
        on(new Begin(), new StartEngine(true, 1));
        on(new Exited(1));
        on(new Started(), new Evict(), new Kill());
        on(new Killed(), new AwaitCopyTurn());
    }

    @Test
    void isCopiedWhenItEndsBeforeItEverServed() {
        on(new Begin(), new StartEngine(true, 1));
        on(new FeedConnected(TARGET));
        on(new Started());
        on(new Exited(1), new Evict(), new Kill());
        on(new Killed(), new AwaitCopyTurn());
    }

    @Test
    void killedWhileServingLeavesAtOnceAndIsResumed() {
        serve();
        on(new Exited(1), new Evict(), new Kill());
        is(new Fencing("its engine ended", false, Fencing.NEVER));
        on(new Killed(), new StartEngine(true, 2));
        is(new Starting(false, 0, false));
    }

    @Test
    void endOfAnEarlierEngineIsIgnored() {
        serve();
        on(new Exited(1), new Evict(), new Kill());
        on(new Killed(), new StartEngine(true, 2));
        on(new Exited(1));
        is(new Starting(false, 0, false));
        on(new FeedConnected(TARGET));
        on(new Started());
        on(tick(TARGET), new Admit());
        on(new Exited(1));
        is(serving(TARGET));
    }

    @Test
    void silentSatelliteLeavesAtOnceAndOnlyHasToCatchUpWhenItSpeaksInTime() {
        serve();
        on(new FeedSilent(), new Evict());
        is(new Suspect("no answer to its feed", now + 3 * SECOND, true));
        now += 2 * SECOND;
        on(tick(TARGET));
        on(new FeedHeard());
        on(tick(TARGET));
        is(catchingUp(0, 900, true));
        on(tick(899));
        on(tick(900), new Admit());
    }

    @Test
    void silentSatelliteIsKilledBeforeItIsStartedAgain() {
        serve();
        on(new FeedSilent(), new Evict());
        now += 3 * SECOND;
        on(tick(TARGET), new Evict(), new Kill());
        is(new Fencing("no answer to its feed", false, Fencing.NEVER));
        on(new FeedHeard());
        is(new Fencing("no answer to its feed", false, Fencing.NEVER));
        on(new Killed(), new StartEngine(true, 2));
    }

    @Test
    void frozenSatelliteLeavesThoughItsFeedAnswers() {
        serve();
        on(new Tick(TARGET, TARGET, TARGET, true), new Evict());
        is(new Suspect("its main process is stopped", now + 3 * SECOND, true));
        now += SECOND;
        on(new Tick(TARGET, TARGET, TARGET, true));
        on(new Tick(TARGET, 900, TARGET, false));
        is(catchingUp(0, 900, true));
    }

    @Test
    void frozenSatelliteIsKilledWhenItStaysFrozen() {
        serve();
        on(new Tick(TARGET, TARGET, TARGET, true), new Evict());
        now += 3 * SECOND;
        on(new Tick(TARGET, TARGET, TARGET, true), new Evict(), new Kill());
        on(new Killed(), new StartEngine(true, 2));
    }

    @Test
    void thawedSatelliteThatDoesNotAnswerStaysOut() {
        serve();
        on(new Tick(TARGET, TARGET, TARGET, true), new Evict());
        on(new FeedSilent());
        on(tick(TARGET));
        assertEquals("suspect", satellite.state().phase().label());
        on(new FeedHeard());
        on(tick(TARGET));
        is(catchingUp(0, 900, true));
    }

    @Test
    void satelliteThatIsOnlyBehindStaysInRotation() {
        serve();
        for (int i = 0; i < 1_000; i++) {
            now += SECOND;
            on(tick(TARGET + i / 50));
        }
        assertEquals("serving", satellite.state().phase().label());
    }

    @Test
    void satelliteThatLacksNothingStaysInRotation() {
        serve();
        for (int i = 0; i < 1_000; i++) {
            now += SECOND;
            on(tick(900));
        }
        assertEquals("serving", satellite.state().phase().label());
    }

    @Test
    void satelliteWhoseReplayStandsStillIsRestartedFromItsData() {
        serve();
        standStill(59);
        on(tick(TARGET), new Evict(), new Kill());
        is(new Fencing("its replay stands still", false, Fencing.NEVER));
        on(new Killed(), new StartEngine(true, 2));
        on(new FeedConnected(900));
        on(new Started());
        // The standstill of the earlier engine does not count for the next one.
        on(tick(TARGET));
        on(tick(TARGET + 1));
        on(tick(900), new Admit());
    }

    @Test
    void satelliteThatStandsStillBeforeItEverServedIsCopied() {
        on(new Begin(), new StartEngine(true, 1));
        on(new FeedConnected(900));
        on(new Started());
        on(tick(TARGET));
        standStill(59);
        on(tick(TARGET), new Evict(), new Kill());
        on(new Killed(), new AwaitCopyTurn());
    }

    @Test
    void replayMayWaitForReadersAsLongAsItIsConfiguredTo() {
        SatelliteLifecycle patient =
                new SatelliteLifecycle(SatellitePolicy.DEFAULT.withReplayDelay(Duration.ofMinutes(10)));
        List.of(new Begin(), new FeedConnected(TARGET), new Started(), tick(TARGET))
                .forEach(event -> patient.on(event, now));
        for (int i = 1; i < 660; i++) {
            now += SECOND;
            assertEquals(List.of(), patient.on(tick(TARGET), now));
        }
        now += SECOND;
        assertEquals(List.of(new Evict(), new Kill()), patient.on(tick(TARGET), now));
    }

    @Test
    void nothingStandsStillWhileTheMasterIsNotHeard() {
        serve();
        for (int i = 0; i < 1_000; i++) {
            now += SECOND;
            on(new Tick(TARGET, Floor.UNKNOWN, 900, false));
        }
        assertEquals("serving", satellite.state().phase().label());
    }

    @Test
    void whileMultimedWasStoppedNothingStoodStill() {
        serve();
        now += 1_000 * SECOND;
        on(tick(TARGET));
        assertEquals("serving", satellite.state().phase().label());
    }

    @Test
    void lostFeedTakesItOutUntilItHasCaughtUpWithANewOne() {
        serve();
        on(new FeedLost(), new Evict());
        is(new Connecting(now + 30 * SECOND, true));
        on(tick(TARGET + 100));
        on(new FeedConnected(900), new Evict());
        is(catchingUp(0, 900, true));
    }

    @Test
    void feedThatDoesNotComeBackIsAnEnginesFailureButNotItsDatas() {
        serve();
        on(new FeedLost(), new Evict());
        now += 30 * SECOND;
        on(tick(TARGET), new Evict(), new Kill());
        is(new Fencing("its feed did not connect", false, Fencing.NEVER));
    }

    @Test
    void newFeedWithoutTheLossOfTheOldMeansCatchingUpToo() {
        serve();
        on(new FeedConnected(900), new Evict());
        is(catchingUp(0, 900, true));
    }

    @Test
    void isCopiedAnewWhenTheLogItNeedsIsGone() {
        serve();
        on(new LogGone(), new Evict(), new Kill());
        on(new Killed(), new AwaitCopyTurn());
        is(new Queued("the log it needs is gone"));
    }

    @Test
    void lackOfLogDuringTheStartBreaksItOff() {
        on(new Begin(), new StartEngine(true, 1));
        on(new LogGone(), new Evict(), new Kill());
        on(new StartFailed("broken off"));
        on(new Killed(), new AwaitCopyTurn());
    }

    @Test
    void lackOfLogFoundWhileBeingKilledMeansACopyToo() {
        serve();
        on(new Exited(1), new Evict(), new Kill());
        on(new LogGone());
        on(new Killed(), new AwaitCopyTurn());
    }

    @Test
    void unresponsiveEngineIsKilledWhateverItsFeedSays() {
        serve();
        on(new Unresponsive("accepts no connections"), new Evict(), new Kill());
        is(new Fencing("accepts no connections", false, Fencing.NEVER));
    }

    @Test
    void dataThatDiffersFromTheMastersIsCopiedAnewThoughItHasServed() {
        serve();
        on(new Differs("a row differs"), new Evict(), new Kill());
        is(new Fencing("a row differs", true, Fencing.NEVER));
        on(new Killed(), new AwaitCopyTurn());
        is(new Queued("a row differs"));
        on(new Differs("a row differs"));
        is(new Queued("a row differs"));
    }

    @Test
    void killThatFailedIsTriedAgainAndNothingIsStartedMeanwhile() {
        serve();
        on(new Exited(1), new Evict(), new Kill());
        on(new KillFailed("not permitted"));
        on(tick(0));
        now += SECOND;
        on(tick(0), new Kill());
        on(tick(0));
        on(new Killed(), new StartEngine(true, 2));
    }

    @Test
    void waitsLongerAfterEveryFailure() {
        on(new Begin(), new StartEngine(true, 1));
        on(new NoData(), new AwaitCopyTurn());
        on(new CopyTurn(), new Copy());
        on(new CopyFailed("the master is down"), new AwaitCopyTurn());
        for (int pause : new int[] {1, 2, 4, 8, 16, 30, 30}) {
            on(new CopyTurn(), new Copy());
            on(new CopyFailed("the master is down"));
            is(new Down("copy failed: the master is down", now + pause * SECOND, true));
            now += pause * SECOND - 1;
            on(tick(0));
            now++;
            on(tick(0), new AwaitCopyTurn());
        }
    }

    @Test
    void waitsNoLongerWhenTheReasonMayHaveGone() {
        on(new Begin(), new StartEngine(true, 1));
        on(new TryNow());
        on(new NoData(), new AwaitCopyTurn());
        on(new CopyTurn(), new Copy());
        on(new CopyFailed("there is no such table"), new AwaitCopyTurn());
        on(new CopyTurn(), new Copy());
        on(new CopyFailed("there is no such table"));
        is(new Down("copy failed: there is no such table", now + SECOND, true));

        on(new TryNow(), new AwaitCopyTurn());
        on(new TryNow());
    }

    @Test
    void failuresAreForgottenAfterALongService() {
        serve();
        on(new Exited(1), new Evict(), new Kill());
        on(new Killed(), new StartEngine(true, 2));
        on(new FeedConnected(TARGET));
        on(new Started());
        on(tick(TARGET), new Admit());
        now += 30 * SECOND;
        on(new Exited(2), new Evict(), new Kill());
        on(new Killed(), new StartEngine(true, 3));
    }

    @Test
    void failuresAreRememberedAfterAShortService() {
        serve();
        on(new Exited(1), new Evict(), new Kill());
        on(new Killed(), new StartEngine(true, 2));
        on(new FeedConnected(TARGET));
        on(new Started());
        on(tick(TARGET), new Admit());
        now += SECOND;
        on(new Exited(2), new Evict(), new Kill());
        on(new Killed());
        is(new Down("its engine ended", now + SECOND, false));
        now += SECOND;
        on(tick(0), new StartEngine(true, 3));
    }

    @Test
    void stopsFromService() {
        serve();
        on(new Stop(), new Evict(), new StopEngine());
        is(new Stopping());
        on(new Exited(1));
        on(new Stop());
        on(new EngineEnded());
        is(new Stopped(""));
        on(tick(0));
    }

    @Test
    void saysWhenItsEngineCouldNotBeEnded() {
        serve();
        on(new Stop(), new Evict(), new StopEngine());
        on(new KillFailed("not permitted"));
        is(new Stopped("not permitted"));
    }

    @Test
    void stopsOutOfEveryState() {
        List<SatelliteState> seen = new ArrayList<>();
        for (List<SatelliteEvent> way : ways()) {
            SatelliteLifecycle one = new SatelliteLifecycle(SatellitePolicy.DEFAULT);
            way.forEach(event -> one.on(event, now));
            seen.add(one.state());
            if (!(one.state() instanceof Stopped) && !(one.state() instanceof Stopping)) {
                assertEquals(List.of(new Evict(), new StopEngine()), one.on(new Stop(), now));
            }
            one.on(new EngineEnded(), now);
            assertEquals(new Stopped(""), one.state());
        }
        assertEquals(
                states(SatelliteState.class).collect(Collectors.toSet()),
                seen.stream().map(Object::getClass).collect(Collectors.toSet()),
                "a way leads into every state");
    }

    /** An event that has no meaning in a state changes nothing there, so late events do no harm. */
    @ParameterizedTest
    @MethodSource("ways")
    void onlyWhatIsServingIsInRotationWhateverHappensNext(List<SatelliteEvent> way) {
        for (SatelliteEvent next : someEvents(7)) {
            Rotation rotation = new Rotation();
            way.forEach(rotation::on);
            rotation.on(next);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void keepsItsInvariantsForAnySequenceOfEvents(long seed) {
        Random random = new Random(seed);
        Rotation rotation = new Rotation();
        for (int i = 0; i < 20_000; i++) {
            now += random.nextInt(5) * SECOND;
            List<SatelliteEvent> events = someEvents(rotation.incarnation);
            SatelliteEvent event = events.get(random.nextInt(events.size()));
            boolean isRare = event instanceof Stop || event instanceof Differs;
            if (!isRare || random.nextInt(50) == 0) {
                rotation.on(event);
            }
        }
        assertTrue(rotation.admissions > 0, "the sequence led into service");
    }

    /** Executes the actions like a driver and checks them. */
    private final class Rotation {
        private final SatelliteLifecycle one = new SatelliteLifecycle(SatellitePolicy.DEFAULT);
        private boolean inRotation;
        private boolean engine;
        private boolean killing;
        private int incarnation;
        private int admissions;

        void on(SatelliteEvent event) {
            // The worker reports this only after a request, so unrequested events have no meaning here.
            if (killing && (event instanceof Killed || event instanceof EngineEnded)) {
                engine = false;
                killing = false;
            }
            if (event instanceof NoData && one.state() instanceof Starting) {
                engine = false;
            }
            for (SatelliteAction action : one.on(event, now)) {
                if (action instanceof Admit) {
                    assertTrue(engine);
                    inRotation = true;
                    admissions++;
                } else if (action instanceof Evict) {
                    inRotation = false;
                } else if (action instanceof StartEngine start) {
                    assertEquals(incarnation + 1, start.incarnation());
                    assertFalse(engine, "an earlier engine may be left");
                    incarnation = start.incarnation();
                    engine = true;
                } else if (action instanceof Kill || action instanceof StopEngine) {
                    killing = true;
                } else if (action instanceof Copy) {
                    assertFalse(inRotation);
                }
            }
            assertEquals(one.state() instanceof Serving, inRotation, one.state().toString());
        }
    }

    static List<List<SatelliteEvent>> ways() {
        List<SatelliteEvent> served = List.of(new Begin(), new FeedConnected(5), new Started(), tick(5));
        return List.of(
                List.of(),
                List.of(new Begin()),
                List.of(new Begin(), new NoData()),
                List.of(new Begin(), new NoData(), new CopyTurn()),
                List.of(new Begin(), new Started()),
                List.of(new Begin(), new FeedConnected(5), new Started()),
                served,
                plus(served, new FeedSilent()),
                plus(served, new Exited(1)),
                plus(
                        List.of(new Begin(), new NoData(), new CopyTurn(), new CopyFailed("a"), new CopyTurn()),
                        new CopyFailed("b")),
                plus(served, new Stop()));
    }

    private static List<SatelliteEvent> someEvents(int incarnation) {
        return List.of(
                new Begin(),
                new NoData(),
                new CopyTurn(),
                new CopyProgressed(1, 2),
                new Copied(),
                new CopyFailed("a"),
                new Started(),
                new Started(),
                new StartFailed("b"),
                new Exited(incarnation),
                new Exited(incarnation - 1),
                new FeedConnected(5),
                new FeedConnected(5),
                new FeedLost(),
                new FeedSilent(),
                new FeedHeard(),
                new LogGone(),
                new Unresponsive("c"),
                new Differs("e"),
                tick(0),
                tick(6),
                tick(901),
                new Tick(901, 900, 1_000, true),
                new Killed(),
                new KillFailed("d"),
                new Stop(),
                new EngineEnded());
    }

    private static Tick tick(long applied) {
        return new Tick(applied, 900, Long.MAX_VALUE, false);
    }

    private static List<SatelliteEvent> plus(List<SatelliteEvent> events, SatelliteEvent next) {
        return Stream.concat(events.stream(), Stream.of(next)).toList();
    }

    private void serve() {
        on(new Begin(), new StartEngine(true, 1));
        on(new FeedConnected(TARGET));
        on(new Started());
        on(tick(TARGET), new Admit());
    }

    /** Lets the Satellite stand still; the next tick is due one second later. */
    private void standStill(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += SECOND;
            on(tick(TARGET));
        }
        now += SECOND;
    }

    private void on(SatelliteEvent event, SatelliteAction... expected) {
        assertEquals(List.of(expected), satellite.on(event, now), "after " + event);
    }

    private static Stream<Class<?>> states(Class<?> family) {
        return family.isInterface()
                ? Stream.of(family.getPermittedSubclasses()).flatMap(SatelliteLifecycleTest::states)
                : Stream.of(family);
    }

    private CatchingUp catchingUp(long applied, long target, boolean served) {
        return new CatchingUp(new ReplayProgress(applied, 0, now), target, served);
    }

    private Serving serving(long applied) {
        return new Serving(new ReplayProgress(applied, 0, now), now);
    }

    private void is(SatelliteState expected) {
        assertEquals(expected, satellite.state());
    }
}
