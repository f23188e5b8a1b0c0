package io.multimed.core.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatcherTest {
    private static final Pattern NODE = Pattern.compile("(up|out)@(\\d+)/(\\d+)");

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
        assertEquals(expected, describe(Dispatcher.place(required, nodes(satellites)), required));
    }

    @Test
    void nobodyWaitsForASatelliteThatHasNotGotToWhatAnEarlierReaderAwaitedInVain() {
        Nodes nodes = nodes("up@100/0 up@90/0 up@200/0");
        Dispatcher.awaitedInVain(150, nodes);
        nodes.satellites().get(2).serving(false);

        assertEquals("OVERDUE", describe(Dispatcher.place(160, nodes), 160));
        assertEquals("satellite-1", describe(Dispatcher.place(95, nodes), 95), "what is fresh enough is read there");

        nodes.satellites().get(1).applied(150);
        assertEquals("wait", describe(Dispatcher.place(160, nodes), 160), "one of them is worth waiting for again");
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
            ComputationalNode node = new ComputationalNode(NodeId.satellite(list.size() + 1), Role.SATELLITE);
            node.serving(matcher.group(1).equals("up"));
            node.applied(Long.parseLong(matcher.group(2)));
            for (int i = Integer.parseInt(matcher.group(3)); i > 0; i--) {
                node.transactionBegan();
            }
            list.add(node);
        }
        return new Nodes(new ComputationalNode(NodeId.MASTER, Role.MASTER), list);
    }
}
