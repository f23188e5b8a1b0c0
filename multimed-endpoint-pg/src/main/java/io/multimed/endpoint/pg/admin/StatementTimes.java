package io.multimed.endpoint.pg.admin;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.session.reads.MeasuredTimes;
import io.multimed.endpoint.pg.session.reads.ReadCosts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The answer to SHOW STATEMENTS: the processor time of long reads on nodes with different contents, and the choice that follows. */
final class StatementTimes {
    private static final double NANOS_PER_MILLI = 1e6;

    private StatementTimes() {}

    private record Read(String database, long shape) {}

    static AdminTable of(List<MeasuredTimes.Mean> means, Nodes nodes) {
        Map<Read, List<MeasuredTimes.Mean>> byRead =
                new TreeMap<>(Comparator.comparing(Read::database).thenComparing(Read::shape, Long::compareUnsigned));
        means.forEach(mean -> byRead.computeIfAbsent(new Read(mean.database(), mean.shape()), read -> new ArrayList<>())
                .add(mean));
        List<List<Object>> rows = new ArrayList<>();
        byRead.forEach((read, all) -> {
            long least = all.stream().mapToLong(MeasuredTimes.Mean::nanos).min().orElse(0);
            long longest =
                    all.stream().mapToLong(MeasuredTimes.Mean::nanos).max().orElse(0);
            for (MeasuredTimes.Mean mean : all) {
                rows.add(List.of(
                        read.database(),
                        HexFormat.of().toHexDigits(read.shape()),
                        name(mean.node(), nodes),
                        String.format(Locale.ROOT, "%.3f", mean.nanos() / NANOS_PER_MILLI),
                        choice(mean.nanos(), least, longest)));
            }
        });
        return new AdminTable(List.of("database", "shape", "node", "processor_ms", "choice"), rows);
    }

    private static String choice(long nanos, long least, long longest) {
        if (!ReadCosts.takesNotablyLonger(longest, least)) {
            return "by load";
        }
        return ReadCosts.takesNotablyLonger(nanos, least)
                ? "when the preferred nodes are " + nanos / least + " times as busy"
                : "preferred";
    }

    private static String name(long bit, Nodes nodes) {
        if (bit == NodeContents.WHOLE_BIT) {
            return "full";
        }
        for (ComputationalNode node : nodes.satellites()) {
            if (node.contents().bit() == bit) {
                return node.id().name();
            }
        }
        return "unknown";
    }
}
