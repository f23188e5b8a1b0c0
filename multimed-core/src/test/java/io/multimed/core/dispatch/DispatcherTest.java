package io.multimed.core.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.core.node.Nodes;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatcherTest {
    private static final Pattern NODE = Pattern.compile("(?:(\\d):)?(\\w+)@(\\d+)/(\\d+)");

    private final ReadNeeds needs = new ReadNeeds();

    /** Tests placements. Satellites are written {@code up@applied/active} if in rotation, {@code out@applied/active} if not. */
    @ParameterizedTest(name = "{0}, must see {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            up@100/0                       | 100 | satellite-1
            up@99/0                        | 100 | wait
            up@100/0                       |  -1 | FLOOR_UNKNOWN
                                           | 100 | NO_SATELLITE
                                           |  -1 | FLOOR_UNKNOWN
            out@100/0                      | 100 | NO_SATELLITE
            out@100/0 up@99/0              | 100 | wait
            out@100/0 up@100/9             | 100 | satellite-2
            up@100/2 up@100/1 up@100/3     | 100 | satellite-2
            up@100/2 up@99/0 up@100/3      | 100 | satellite-1
            up@100/1 up@100/1              | 100 | satellite-1
            up@200/5 up@100/1              | 150 | satellite-1
            up@0/0                         |   0 | satellite-1
            """)
    void placesAReadOnTheLeastLoadedFreshSatellite(String satellites, long required, String expected) {
        assertEquals(expected, describe(Dispatcher.place(required, needs, nodes(satellites)), required));
    }

    @Test
    void nobodyWaitsForASatelliteThatHasNotGotToWhatAnEarlierReaderAwaitedInVain() {
        Nodes nodes = nodes("up@100/0 up@90/0 up@200/0");
        Dispatcher.awaitedInVain(150, needs, nodes);
        nodes.satellites().get(2).serving(false);

        assertEquals("OVERDUE", describe(Dispatcher.place(160, needs, nodes), 160));
        assertEquals(
                "satellite-1", describe(Dispatcher.place(95, needs, nodes), 95), "what is fresh enough is read there");

        nodes.satellites().get(1).applied(150);
        assertEquals(
                "wait", describe(Dispatcher.place(160, needs, nodes), 160), "one of them is worth waiting for again");
    }

    /**
     * Tests placements on nodes with a part of the data: {@code N:all@applied/active}, {@code N:long@…} and {@code N:short@…}, where
     * N is the node's bit. Nodes written without it hold everything.
     */
    @ParameterizedTest(name = "{0}, held by {1}, {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            0:all@100/0                          |   | short | NO_SATELLITE
            0:all@100/0                          | 0 | short | satellite-1
            0:all@100/0                          | 1 | short | NO_SATELLITE
            0:all@100/0 1:all@100/1              | 1 | short | satellite-2
            up@100/1 0:all@100/0                 | 0 | short | satellite-2
            up@100/0 0:all@100/1                 | 0 | short | satellite-1
            up@99/0 0:all@100/5                  |   | short | wait
            up@99/0 0:all@100/5                  | 0 | short | satellite-2
            0:long@100/0                         | 0 | short | NO_SATELLITE
            0:long@100/0                         | 0 | long  | satellite-1
            0:short@100/0                        | 0 | long  | NO_SATELLITE
            up@100/0 0:long@100/5                | 0 | long  | satellite-2
            up@100/5 0:long@100/0                | 0 | short | satellite-1
            up@100/0 0:long@99/0                 | 0 | long  | satellite-1
            up@99/0 0:long@99/0                  | 0 | long  | wait
            0:long@100/3 up@100/0 1:long@100/2   | 0 1 | long  | satellite-3
            0:short@100/3 up@100/0               | 0 | short | satellite-1
            0:short@100/3 up@100/0               | 0 | unknown | satellite-2
            0:long@100/0 up@100/1                | 0 | unknown | satellite-1
            up@100/0 0:long@100/0                | 0 | unknown | satellite-1
            """)
    void placesAReadOnlyWhereItsDataIsAndItsLengthIsTaken(
            String satellites, String holders, String length, String expected) {
        long bits = NodeContents.INDEXED_ANYWHERE_BIT;
        for (String bit : holders == null ? new String[0] : holders.split(" ")) {
            bits |= 1L << Integer.parseInt(bit);
        }
        needs.set(bits, ReadNeeds.Length.valueOf(length.toUpperCase(Locale.ROOT)));

        assertEquals(expected, describe(Dispatcher.place(100, needs, nodes(satellites)), 100));
    }

    /** Tests placements of a read for which the nodes with a part of the data, as above, have indexes that others lack. */
    @ParameterizedTest(name = "{0}, held by {1}, {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            up@100/0 0:all@100/9                 | 0   | short | satellite-2
            up@100/0 0:long@100/9                | 0   | short | satellite-2
            up@100/0 0:short@100/9               | 0   | long  | satellite-2
            up@100/0 0:all@99/0                  | 0   | short | wait
            up@100/0 0:all@99/0 1:all@100/9      | 0 1 | short | satellite-3
            up@100/0 0:all@99/0                  | 1   | short | satellite-1
            up@100/0 0:all@99/0                  |     | short | satellite-1
            up@99/0 0:all@99/0                   | 0   | short | wait
            0:all@100/0                          | 0   | short | satellite-1
            """)
    void aReadIsPlacedWhereItsIndexesAre(String satellites, String holders, String length, String expected) {
        long bits = 0;
        for (String bit : holders == null ? new String[0] : holders.split(" ")) {
            bits |= 1L << Integer.parseInt(bit);
        }
        needs.set(bits, ReadNeeds.Length.valueOf(length.toUpperCase(Locale.ROOT)));

        assertEquals(expected, describe(Dispatcher.place(100, needs, nodes(satellites)), 100));
    }

    /** Tests placements of reads that a rule sends to a node, by its position, or to all nodes with all data: {@code full}. */
    @ParameterizedTest(name = "{0}, held by {1}, sent to {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            up@100/0 0:all@100/0                 | 0 | 2      | satellite-2
            up@100/0 0:all@100/0                 | 0 | 1      | satellite-1
            up@100/0 0:all@100/0                 |   | 2      | NO_SATELLITE
            up@100/0 0:all@99/0                  | 0 | 2      | wait
            up@100/0 out@100/0                   | 0 | 2      | NO_SATELLITE
            up@100/0 0:short@100/0               | 0 | 2      | satellite-2
            up@100/0 0:rules@100/0               | 0 | 2      | satellite-2
            up@100/5 0:rules@100/0               | 0 |        | satellite-1
            0:rules@100/0                        | 0 |        | NO_SATELLITE
            0:all@100/0 up@100/3 up@100/2        | 0 | full   | satellite-3
            0:all@100/0                          | 0 | full   | NO_SATELLITE
            up@100/0 0:all@100/0                 | 0 | master | NO_SATELLITE
            """)
    void placesAReadWhereARuleSendsItAlone(String satellites, String holders, String to, String expected) {
        Nodes described = nodes(satellites);
        Nodes nodes = new Nodes(described.master(), described.satellites(), true);
        needs.set(holders == null ? 0 : 1, ReadNeeds.Length.LONG);
        if (to != null) {
            needs.sentTo(
                    switch (to) {
                        case "full" -> Destination.FULL_SATELLITES;
                        case "master" -> new Destination(nodes.master());
                        default -> new Destination(nodes.satellites().get(Integer.parseInt(to) - 1));
                    });
        }

        assertEquals(expected, describe(Dispatcher.place(100, needs, nodes), 100));
    }

    @Test
    void noRuleSendsTheNextRead() {
        Nodes nodes = nodes("up@100/0 0:all@100/0");
        needs.sentTo(new Destination(nodes.satellites().get(1)));
        needs.set(-1, ReadNeeds.Length.SHORT);

        assertEquals("satellite-1", describe(Dispatcher.place(100, needs, nodes), 100));
    }

    @Test
    void aReadThatHasAwaitedItsIndexesInVainGoesElsewhere() {
        Nodes nodes = nodes("up@100/0 0:all@99/0");
        needs.set(1, ReadNeeds.Length.SHORT);
        Dispatcher.awaitedInVain(100, needs, nodes);

        assertEquals("satellite-1", describe(Dispatcher.place(100, needs, nodes), 100));
    }

    @Test
    void aReadThatIsNotDescribedIsForNodesWithEverything() {
        needs.set(-1, ReadNeeds.Length.LONG);
        needs.reset();

        assertEquals("satellite-2", describe(Dispatcher.place(100, needs, nodes("0:all@100/0 up@100/1")), 100));
    }

    @Test
    void nobodyIsKeptFromASatelliteThatWasNotAwaited() {
        Nodes nodes = nodes("up@90/0 0:all@90/0");
        Dispatcher.awaitedInVain(150, needs, nodes);

        assertEquals("OVERDUE", describe(Dispatcher.place(160, needs, nodes), 160));
        needs.set(1 | NodeContents.INDEXED_ANYWHERE_BIT, ReadNeeds.Length.SHORT);
        assertEquals("wait", describe(Dispatcher.place(160, needs, nodes), 160));
    }

    private static String describe(Placement placement, long required) {
        if (placement instanceof Placement.OnMaster onMaster) {
            return onMaster.reason().name();
        }
        if (placement instanceof Placement.OnSatellite onSatellite) {
            return onSatellite.node().id().name();
        }
        assertEquals(new Placement.AwaitFreshness(required), placement);
        return "wait";
    }

    private static Nodes nodes(String satellites) {
        List<ComputationalNode> list = new ArrayList<>();
        Matcher matcher = NODE.matcher(satellites == null ? "" : satellites);
        while (matcher.find()) {
            String bit = matcher.group(1);
            String state = matcher.group(2);
            NodeContents contents = bit == null
                    ? NodeContents.EVERYTHING
                    : NodeContents.part(
                            Integer.parseInt(bit), NodeContents.Takes.valueOf(state.toUpperCase(Locale.ROOT)));
            ComputationalNode node = new ComputationalNode(NodeId.satellite(list.size() + 1), Role.SATELLITE, contents);
            node.serving(!state.equals("out"));
            node.applied(Long.parseLong(matcher.group(3)));
            for (int i = Integer.parseInt(matcher.group(4)); i > 0; i--) {
                node.transactionBegan();
            }
            list.add(node);
        }
        return new Nodes(new ComputationalNode(NodeId.MASTER, Role.MASTER), list);
    }
}
