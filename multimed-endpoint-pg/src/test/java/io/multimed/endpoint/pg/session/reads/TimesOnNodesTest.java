package io.multimed.endpoint.pg.session.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.core.node.Nodes;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.sql.ReadMarks;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Placement of reads by the processor time that their shape took on nodes with different contents. */
class TimesOnNodesTest {
    private static final long MILLI = 1_000_000;
    private static final int TRIALS = 64;

    private final ComputationalNode full = satellite(1, NodeContents.EVERYTHING);
    private final ComputationalNode first = satellite(2, NodeContents.part(0, NodeContents.Takes.ALL));
    private final ComputationalNode second = satellite(3, NodeContents.part(1, NodeContents.Takes.ALL));
    private final Nodes nodes =
            new Nodes(new ComputationalNode(NodeId.MASTER, Role.MASTER), List.of(full, first, second));
    private final MeasuredTimes shared = new MeasuredTimes();
    private final ReadCosts costs = new ReadCosts(() -> 0, true, true, shared);
    private final ReadNeeds needs = new ReadNeeds();

    private static ComputationalNode satellite(int number, NodeContents contents) {
        ComputationalNode node = new ComputationalNode(NodeId.satellite(number), Role.SATELLITE, contents);
        node.serving(true);
        return node;
    }

    private static List<Statement> heldBy(long holders) {
        return List.of(new Statement.Read(false, holders | NodeContents.INDEXED_ANYWHERE_BIT));
    }

    private void took(List<Statement> read, ComputationalNode node, long nanos) {
        for (int i = 0; i < 3; i++) {
            costs.timed(read, node.contents().bit());
            costs.took(read, node.contents().bit(), nanos);
        }
    }

    private ComputationalNode placed(List<Statement> read) {
        long holders = ((Statement.Read) read.getFirst()).holders();
        needs.set(holders, ReadNeeds.Length.LONG);
        costs.compareNodes(read, holders, needs);
        return ((Placement.OnSatellite) Dispatcher.place(0, needs, nodes)).node();
    }

    private static void load(ComputationalNode node, int transactions) {
        for (int i = 0; i < transactions; i++) {
            node.transactionBegan();
        }
    }

    @Test
    void aReadGoesWhereItWasFasterAlthoughOthersAreLessLoaded() {
        List<Statement> read = heldBy(0b01);
        costs.areToBeTimed(read);
        took(read, full, 100 * MILLI);
        took(read, first, MILLI);
        load(first, 50);
        assertEquals(first, placed(read));
    }

    @Test
    void aReadGoesElsewhereOnceTheFastestNodeHasSoMuchToDoThatItIsFasterThere() {
        List<Statement> read = heldBy(0b01);
        costs.areToBeTimed(read);
        took(read, full, 10 * MILLI);
        took(read, first, MILLI);
        load(first, 8);
        assertEquals(first, placed(read));
        load(first, 3);
        assertEquals(full, placed(read));
    }

    @Test
    void aReadAvoidsAPartialSatelliteOnWhichItIsSlower() {
        List<Statement> read = heldBy(0b01);
        costs.areToBeTimed(read);
        took(read, full, MILLI);
        took(read, first, 50 * MILLI);
        load(full, 10);
        assertEquals(full, placed(read));
    }

    @Test
    void similarTimesAndShortReadsAreLeftToTheLoad() {
        List<Statement> similar = heldBy(0b01);
        costs.areToBeTimed(similar);
        took(similar, full, 15 * MILLI);
        took(similar, first, 10 * MILLI);
        List<Statement> brief = heldBy(0b01);
        costs.areToBeTimed(brief);
        took(brief, full, MILLI / 2);
        took(brief, first, MILLI / 100);
        load(first, 1);
        assertEquals(full, placed(similar));
        assertEquals(full, placed(brief));
    }

    @Test
    void aLongReadIsTriedNowAndThenOnAPartialSatelliteOnWhichItWasNotMeasured() {
        List<Statement> read = heldBy(0b01);
        costs.areToBeTimed(read);
        took(read, full, 10 * MILLI);
        load(first, 5);
        int tried = 0;
        for (int i = 0; i < TRIALS; i++) {
            tried += placed(read).equals(first) ? 1 : 0;
        }
        assertEquals(TRIALS / 16, tried);
    }

    /** There, it could keep short reads waiting. */
    @Test
    void noReadIsTriedOnANodeWithAllData() {
        List<Statement> read = heldBy(0b11);
        costs.areToBeTimed(read);
        took(read, first, 10 * MILLI);
        took(read, second, 15 * MILLI);
        load(full, 1);
        load(first, 1);
        for (int i = 0; i < TRIALS; i++) {
            assertEquals(second, placed(read), "the least loaded, since one is not notably faster than the other");
        }
    }

    @Test
    void aReadCountsAsLongIfItIsOnAnyNodeThatCanAnswerIt() {
        List<Statement> read = heldBy(0b01);
        costs.areToBeTimed(read);
        took(read, first, MILLI / 10);
        assertEquals(0, costs.expectedNanos(read));
        took(read, full, 30 * MILLI);
        assertEquals(30 * MILLI, costs.expectedNanos(read));
        assertEquals(MILLI / 10, costs.expectedNanosOn(read, first.contents().bit(), 30 * MILLI));
        assertEquals(30 * MILLI, costs.expectedNanosOn(read, full.contents().bit(), 30 * MILLI));
    }

    @Test
    void aReadThatWasMeasuredOnAPartialSatelliteAloneIsMeasuredMoreOftenUntilItWasElsewhere() {
        List<Statement> read = heldBy(0b01);
        assertTrue(costs.areToBeTimed(read));
        took(read, first, MILLI / 10);
        assertFalse(costs.areToBeTimed(read));
        int due = 0;
        for (int i = 0; i < 1024; i++) {
            due += costs.areToBeTimed(read) ? 1 : 0;
        }
        assertEquals(1024 / 16, due);
        took(read, full, MILLI / 10);
        due = 0;
        for (int i = 0; i < 1024; i++) {
            due += costs.areToBeTimed(read) ? 1 : 0;
        }
        assertEquals(1024 / 256, due);
    }

    private static List<Statement> ofShape(long shape) {
        return ofShape(shape, "shop");
    }

    private static List<Statement> ofShape(long shape, String database) {
        return List.of(new Statement.Read(
                false, 0b01 | NodeContents.INDEXED_ANYWHERE_BIT, new ReadMarks(0, "", shape, database, 0)));
    }

    @Test
    void anotherLoopOrProcessGoesOnWithWhatWasMeasured() {
        List<Statement> read = ofShape(17);
        costs.areToBeTimed(read);
        took(read, full, 100 * MILLI);
        took(read, first, MILLI);

        ReadCosts others = new ReadCosts(() -> 0, true, true, shared);
        List<Statement> same = ofShape(17);
        assertFalse(others.areToBeTimed(same), "it was measured");
        assertEquals(100 * MILLI, others.meanNanosOn(same, NodeContents.WHOLE_BIT));
        assertEquals(MILLI, others.meanNanosOn(same, 0b01));
        assertTrue(others.areToBeTimed(ofShape(18)), "another was not");
    }

    @Test
    void theSameTextInAnotherDatabaseIsMeasuredByItself() {
        List<Statement> read = ofShape(17);
        costs.areToBeTimed(read);
        took(read, full, 100 * MILLI);
        took(read, first, MILLI);

        ReadCosts others = new ReadCosts(() -> 0, true, true, shared);
        List<Statement> elsewhere = ofShape(17, "archive");
        assertTrue(others.areToBeTimed(elsewhere), "it was measured in another database alone");
        assertEquals(0, others.meanNanosOn(elsewhere, NodeContents.WHOLE_BIT));
        took(elsewhere, full, 2 * MILLI);
        assertEquals(
                Set.of("shop", "archive"),
                shared.all().stream().map(MeasuredTimes.Mean::database).collect(Collectors.toSet()));
    }

    @Test
    void readsThatAreShortEverywhereAreNotShared() {
        List<Statement> read = ofShape(17);
        costs.areToBeTimed(read);
        took(read, full, MILLI / 2);
        took(read, first, MILLI / 100);
        assertEquals(List.of(), shared.all());
    }
}
