package io.multimed.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.history.Violation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Hand-made histories: each shows one violation, or a similar history that is allowed. */
class CheckerTest {
    private final List<Update> updates = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final List<Commit> commits = new ArrayList<>();

    /** Records that transaction {@code id} wrote the registers; its COMMIT is sent and answered at these times. */
    private void committed(int session, long id, long sent, long replied, Integer... registers) {
        updates.add(update(session, id, sent, replied, Outcome.OK, registers));
        commits.add(new Commit(id, Set.of(registers)));
    }

    private static Update update(int session, long id, long sent, long replied, Outcome outcome, Integer... registers) {
        return new Update(session, id, sent - 1, sent, replied, outcome, Map.of(), Set.of(registers));
    }

    private void read(int session, long invoked, long replied, Map<Integer, Long> registers) {
        reads.add(Read.first(session, invoked, replied, false, registers, Read.NOT_LOOKED, 0));
    }

    private void counted(int session, long invoked, long replied, long count, long sum) {
        reads.add(Read.first(session, invoked, replied, false, Map.of(), count, sum));
    }

    private void readOnMaster(int session, long invoked, long replied, Map<Integer, Long> registers) {
        reads.add(Read.first(session, invoked, replied, true, registers, Read.NOT_LOOKED, 0));
    }

    private List<Kind> violations(Promise promise) {
        return Checker.check(updates, reads, commits, promise).violations().stream()
                .map(Violation::kind)
                .toList();
    }

    private void assertViolations(Kind... kinds) {
        assertEquals(List.of(kinds), violations(Promise.STRONG));
    }

    @Test
    void acceptsAPrefixThatHoldsAllThatWasAcknowledged() {
        committed(1, 10, 10, 20, 1, 2);
        committed(1, 11, 30, 40, 2);
        read(2, 25, 28, Map.of(1, 10L, 2, 10L));
        read(2, 45, 50, Map.of(1, 10L, 2, 11L));
        counted(3, 45, 50, 2, 21);
        assertViolations();
    }

    @Test
    void acceptsEitherStateWhileACommitIsUnderWay() {
        committed(1, 10, 10, 40, 1);
        read(2, 20, 30, Map.of(1, 0L));
        read(3, 20, 30, Map.of(1, 10L));
        assertViolations();
    }

    @Test
    void catchesAStaleRead() {
        committed(1, 10, 10, 20, 1);
        read(2, 21, 30, Map.of(1, 0L));
        assertViolations(Kind.STALE_READ);
    }

    @Test
    void catchesAStaleReadOfARegisterThatTheNewestCommitDidNotTouch() {
        committed(1, 10, 10, 20, 1);
        committed(1, 11, 30, 40, 2);
        read(2, 41, 50, Map.of(1, 0L));
        assertViolations(Kind.STALE_READ);
    }

    @Test
    void catchesAStaleCount() {
        committed(1, 10, 10, 20, 1);
        committed(1, 11, 30, 40, 2);
        counted(2, 41, 50, 1, 10);
        assertViolations(Kind.STALE_READ);
    }

    @Test
    void sessionPromiseAllowsMissingWhatOthersCommitted() {
        committed(1, 10, 10, 20, 1);
        read(2, 21, 30, Map.of(1, 0L));
        assertEquals(List.of(), violations(Promise.SESSION));
    }

    @Test
    void sessionPromiseDemandsOnesOwnCommits() {
        committed(1, 10, 10, 20, 1);
        read(1, 21, 30, Map.of(1, 0L));
        assertEquals(List.of(Kind.STALE_READ), violations(Promise.SESSION));
    }

    @Test
    void catchesHalfATransaction() {
        committed(1, 10, 10, 20, 1, 2);
        read(2, 15, 30, Map.of(1, 10L, 2, 0L));
        assertViolations(Kind.TORN_SNAPSHOT);
    }

    @Test
    void catchesALaterCommitWithoutAnEarlierOneOnASatellite() {
        committed(1, 10, 10, 50, 1);
        committed(2, 11, 10, 50, 2);
        read(3, 20, 30, Map.of(1, 0L, 2, 11L));
        assertViolations(Kind.TORN_SNAPSHOT);
    }

    @Test
    void acceptsALaterCommitWithoutAnEarlierOneWhereSnapshotsAreCollected() {
        committed(1, 10, 10, 50, 1);
        committed(2, 11, 10, 50, 2);
        read(3, 20, 30, Map.of(1, 0L, 2, 11L));
        Report report = Checker.check(updates, reads, commits, Promise.STRONG, Snapshots.COLLECTED);
        assertEquals(List.of(), report.violations());
        assertEquals(1, report.forks());
    }

    @Test
    void catchesThatACollectedSnapshotLacksWhatWasAcknowledged() {
        committed(1, 10, 10, 15, 1);
        committed(2, 11, 10, 50, 2);
        read(3, 20, 30, Map.of(1, 0L, 2, 11L));
        assertCollected(Kind.STALE_READ);
    }

    @Test
    void catchesThatACollectedSnapshotLacksWhatAnEarlierOneImplied() {
        committed(1, 10, 10, 50, 1);
        committed(2, 11, 10, 50, 2);
        read(3, 20, 30, Map.of(1, 0L, 2, 11L));
        read(4, 31, 40, Map.of(1, 0L, 2, 11L));
        assertCollected(Kind.WENT_BACK);
    }

    private void assertCollected(Kind kind) {
        assertEquals(
                List.of(kind),
                Checker.check(updates, reads, commits, Promise.STRONG, Snapshots.COLLECTED).violations().stream()
                        .map(Violation::kind)
                        .toList());
    }

    @Test
    void catchesACountWithTheWrongSum() {
        committed(1, 10, 10, 50, 1);
        committed(2, 11, 10, 50, 2);
        counted(3, 20, 30, 1, 11);
        assertViolations(Kind.TORN_SNAPSHOT);
    }

    @Test
    void catchesACountThatDoesNotFitTheRegisters() {
        committed(1, 10, 10, 50, 1);
        committed(2, 11, 10, 50, 2);
        reads.add(Read.first(3, 20, 30, false, Map.of(2, 11L), 1, 10));
        assertViolations(Kind.TORN_SNAPSHOT);
    }

    @Test
    void catchesALostCommit() {
        committed(1, 10, 10, 20, 1);
        updates.add(update(1, 11, 30, 40, Outcome.OK, 1));
        assertViolations(Kind.LOST_COMMIT);
    }

    @Test
    void catchesADoubledCommit() {
        committed(1, 10, 10, 20, 1);
        commits.add(commits.getFirst());
        assertViolations(Kind.DOUBLED_COMMIT);
    }

    @Test
    void catchesACommitThatItsClientWasToldHadFailed() {
        updates.add(update(1, 10, 10, 20, Outcome.FAIL, 1));
        commits.add(new Commit(10, Set.of(1)));
        assertViolations(Kind.UNEXPECTED_COMMIT);
    }

    @Test
    void catchesACommitOfNobody() {
        commits.add(new Commit(10, Set.of(1)));
        assertViolations(Kind.UNEXPECTED_COMMIT);
    }

    @Test
    void catchesATransactionThatChangedOtherRows() {
        updates.add(update(1, 10, 10, 20, Outcome.OK, 1, 2));
        commits.add(new Commit(10, Set.of(1)));
        assertViolations(Kind.WRONG_WRITE);
    }

    @Test
    void anUndecidedCommitMayHaveHappenedOrNot() {
        updates.add(update(1, 10, 10, Long.MAX_VALUE, Outcome.INFO, 1));
        updates.add(update(1, 11, 30, Long.MAX_VALUE, Outcome.INFO, 1));
        commits.add(new Commit(10, Set.of(1)));
        read(2, 50, 60, Map.of(1, 0L));
        read(3, 50, 60, Map.of(1, 10L));
        Report report = Checker.check(updates, reads, commits, Promise.STRONG);
        assertEquals(List.of(), report.violations());
        assertEquals(2, report.undecided());
    }

    @Test
    void catchesAValueThatNobodyCommitted() {
        updates.add(update(1, 10, 10, 20, Outcome.FAIL, 1));
        read(2, 21, 30, Map.of(1, 10L));
        assertViolations(Kind.UNCOMMITTED_READ);
    }

    @Test
    void catchesAValueInARegisterThatItsTransactionDidNotWrite() {
        committed(1, 10, 10, 20, 1);
        read(2, 21, 30, Map.of(2, 10L));
        assertViolations(Kind.UNCOMMITTED_READ);
    }

    @Test
    void catchesMoreRowsThanCommits() {
        committed(1, 10, 10, 20, 1);
        counted(2, 21, 30, 2, 20);
        assertViolations(Kind.UNCOMMITTED_READ);
    }

    @Test
    void catchesAReadFromTheFuture() {
        committed(1, 10, 10, 20, 1);
        read(2, 5, 9, Map.of(1, 10L));
        assertViolations(Kind.FUTURE_READ);
    }

    @Test
    void aCommitBehindOneThatWasSentLaterIsFutureToo() {
        committed(1, 10, 40, 50, 1);
        committed(2, 11, 10, 60, 2);
        read(3, 20, 30, Map.of(2, 11L));
        assertViolations(Kind.FUTURE_READ);
    }

    @Test
    void catchesGoingBackWithinASession() {
        committed(1, 10, 10, 90, 1);
        read(2, 20, 30, Map.of(1, 10L));
        read(2, 40, 50, Map.of(1, 0L));
        assertEquals(List.of(Kind.WENT_BACK), violations(Promise.STRONG));
        assertEquals(List.of(Kind.WENT_BACK), violations(Promise.SESSION));
    }

    @Test
    void catchesGoingBackFromARegisterToAnother() {
        committed(1, 10, 10, 90, 1);
        committed(2, 11, 10, 90, 2);
        read(3, 20, 30, Map.of(2, 11L));
        read(3, 40, 50, Map.of(1, 0L));
        assertEquals(List.of(Kind.WENT_BACK), violations(Promise.SESSION));
    }

    @Test
    void strongPromiseForbidsGoingBackAcrossSessions() {
        committed(1, 10, 10, 90, 1);
        read(2, 20, 30, Map.of(1, 10L));
        read(3, 40, 50, Map.of(1, 0L));
        assertEquals(List.of(Kind.WENT_BACK), violations(Promise.STRONG));
        assertEquals(List.of(), violations(Promise.SESSION));
    }

    @Test
    void readsAtTheSameTimeOweEachOtherNothing() {
        committed(1, 10, 10, 90, 1);
        read(2, 20, 30, Map.of(1, 10L));
        read(3, 25, 50, Map.of(1, 0L));
        assertViolations();
    }

    @Test
    void catchesTheMasterLackingWhatASatelliteHadShown() {
        committed(1, 10, 10, 90, 1);
        read(2, 20, 30, Map.of(1, 10L));
        readOnMaster(2, 40, 50, Map.of(1, 0L));
        assertViolations(Kind.WENT_BACK);
    }

    @Test
    void aLaterStatementOnTheMasterNeedNotShowWhatSatellitesShowedSince() {
        committed(1, 10, 10, 90, 1);
        read(2, 20, 30, Map.of(1, 10L));
        reads.add(new Read(3, 15, 40, 50, true, Map.of(1, 0L), Read.NOT_LOOKED, 0));
        assertViolations();
    }

    @Test
    void catchesTheMasterLackingWhatAPrefixOfASatelliteHeld() {
        committed(1, 10, 10, 90, 1);
        committed(2, 11, 10, 90, 2);
        read(3, 20, 30, Map.of(2, 11L));
        readOnMaster(3, 40, 50, Map.of(1, 0L));
        assertViolations(Kind.WENT_BACK);
    }

    @Test
    void catchesASatelliteLackingWhatTheMasterHadShown() {
        committed(1, 10, 10, 90, 1);
        readOnMaster(2, 20, 30, Map.of(1, 10L));
        read(2, 40, 50, Map.of(1, 0L));
        assertViolations(Kind.WENT_BACK);
    }

    @Test
    void countsAForkOnTheMasterWhileTheMissedCommitIsNotAcknowledged() {
        committed(1, 10, 10, 90, 1);
        committed(2, 11, 10, 90, 2);
        readOnMaster(3, 20, 30, Map.of(1, 0L, 2, 11L));
        Report report = Checker.check(updates, reads, commits, Promise.STRONG);
        assertEquals(List.of(), report.violations());
        assertEquals(1, report.forks());
    }

    @Test
    void catchesTheMasterLackingWhatWasAcknowledged() {
        committed(1, 10, 10, 15, 1);
        committed(2, 11, 10, 90, 2);
        readOnMaster(3, 20, 30, Map.of(1, 0L, 2, 11L));
        assertViolations(Kind.STALE_READ);
    }

    @Test
    void catchesALostUpdate() {
        committed(1, 10, 10, 20, 1);
        updates.add(new Update(2, 11, 5, 30, 40, Outcome.OK, Map.of(1, 0L), Set.of(1)));
        commits.add(new Commit(11, Set.of(1)));
        assertViolations(Kind.LOST_UPDATE);
    }

    @Test
    void acceptsAnUpdateOfWhatWasRead() {
        committed(1, 10, 10, 20, 1);
        updates.add(new Update(2, 11, 25, 30, 40, Outcome.OK, Map.of(1, 10L), Set.of(1)));
        commits.add(new Commit(11, Set.of(1)));
        assertViolations();
    }
}
