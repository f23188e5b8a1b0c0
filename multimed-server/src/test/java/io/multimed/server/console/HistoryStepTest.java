package io.multimed.server.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HistoryStepTest {
    private final ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private long units = 100;
    private final HistoryStep step = new HistoryStep(List.of(master), () -> units);

    private ConsoleHistory.Sample endAfter(long seconds) {
        return step.end(TimeUnit.SECONDS.toNanos(seconds), 7, 3);
    }

    @Test
    void theMeanTimeOfTransactionsFollowsFromHowManyWereUnderWayAndHowManyEnded() {
        step.begin(0);
        master.transactionBegan();
        step.look();
        master.transactionBegan();
        master.transactionBegan();
        step.look();
        for (int i = 0; i < 3; i++) {
            master.transactionEnded();
        }
        master.transactionBegan();
        master.transactionEnded();
        units += 8;
        ConsoleHistory.Sample sample = endAfter(2);
        ConsoleHistory.NodeSample node = sample.nodes().getFirst();
        assertEquals(4.0, sample.units());
        assertEquals(2.0, node.active());
        assertEquals(2.0, node.transactions());
        assertEquals(1_000.0, node.meanMillis());
    }

    @Test
    void theNextStepCountsAnew() {
        step.begin(0);
        master.transactionBegan();
        step.look();
        master.transactionEnded();
        step.begin(0);
        step.look();
        ConsoleHistory.Sample sample = endAfter(1);
        assertEquals(0.0, sample.units());
        assertEquals(new ConsoleHistory.NodeSample(0, 0, 0, 0), sample.nodes().getFirst());
    }
}
