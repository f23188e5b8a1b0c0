package io.multimed.bench.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The simulation compared with results of queueing theory. */
class ClosedNetworkTest {
    private static final long OPERATIONS = 200_000;
    private static final double TOLERANCE = 0.02;

    private static Network.Visit at(int station, double seconds) {
        return new Network.Visit(List.of(station), seconds);
    }

    private static Network cycle(List<Station> stations, double... seconds) {
        List<Network.Visit> visits = new java.util.ArrayList<>();
        for (int station = 0; station < seconds.length; station++) {
            visits.add(at(station, seconds[station]));
        }
        return new Network(stations, List.of(new Network.Kind(1, visits, List.of())));
    }

    private static void assertClose(double expected, double found) {
        assertEquals(1, found / expected, TOLERANCE, "expected " + expected + ", found " + found);
    }

    /** Exact mean value analysis of single servers, after a delay of {@code thinking}. */
    private static double meanValueAnalysis(int clients, double thinking, double... seconds) {
        double[] queues = new double[seconds.length];
        double throughput = 0;
        for (int population = 1; population <= clients; population++) {
            double response = thinking;
            double[] residence = new double[seconds.length];
            for (int i = 0; i < seconds.length; i++) {
                residence[i] = seconds[i] * (1 + queues[i]);
                response += residence[i];
            }
            throughput = population / response;
            for (int i = 0; i < seconds.length; i++) {
                queues[i] = throughput * residence[i];
            }
        }
        return throughput;
    }

    @Test
    void aStationBehindASteadySourceIsAnMm1() {
        // A source that always has something to send is a Poisson process of one in a second.
        Network network = cycle(List.of(new Station("source", 1, 1), new Station("queue", 1, 1)), 1, 0.5);
        ClosedNetwork.Result result = ClosedNetwork.of(network, 100, OPERATIONS, 1);
        assertClose(1, result.perSecond());
        assertClose(1 / (1 / 0.5 - 1), result.residence().get(1));
        assertClose(0.5, result.used().get(1));
    }

    @Test
    void throughputIsThatOfMeanValueAnalysis() {
        for (int clients : new int[] {1, 3, 10, 40}) {
            Network network = cycle(
                    List.of(new Station("a", 1, 1), new Station("b", 1, 1), Station.delay("think")), 0.02, 0.035, 0.3);
            assertClose(
                    meanValueAnalysis(clients, 0.3, 0.02, 0.035),
                    ClosedNetwork.of(network, clients, OPERATIONS, 2).perSecond());
        }
    }

    @Test
    void severalServersAreThoseOfTheMachineRepairman() {
        int clients = 12;
        int servers = 3;
        double thinking = 1;
        double service = 0.4;
        // This is a birth-death process; the states are the numbers of clients at the station.
        double[] weight = new double[clients + 1];
        weight[0] = 1;
        double sum = 1;
        double busy = 0;
        for (int here = 1; here <= clients; here++) {
            weight[here] = weight[here - 1] * (clients - here + 1) / thinking * service / Math.min(here, servers);
            sum += weight[here];
            busy += weight[here] * Math.min(here, servers);
        }
        Network network = cycle(List.of(new Station("repair", servers, 1), Station.delay("think")), service, thinking);
        ClosedNetwork.Result result = ClosedNetwork.of(network, clients, OPERATIONS, 3);
        assertClose(busy / sum / service, result.perSecond());
        assertClose(busy / sum / servers, result.used().getFirst());
    }

    @Test
    void kindsOfOperationsThatShareAStationAreServedAsTheirMeanIs() {
        Network network = new Network(
                List.of(new Station("engine", 1, 1), Station.delay("think")),
                List.of(
                        new Network.Kind(90, List.of(at(1, 0.1), at(0, 0.001)), List.of()),
                        new Network.Kind(10, List.of(at(1, 0.1), at(0, 0.091)), List.of())));
        assertClose(
                meanValueAnalysis(8, 0.1, 0.01),
                ClosedNetwork.of(network, 8, OPERATIONS, 4).perSecond());
    }

    @Test
    void whatIsDoneAsideTakesServersButNobodyWaitsForIt() {
        Network.Kind update = new Network.Kind(1, List.of(at(0, 0.01)), List.of(at(1, 0.008)));
        Network network =
                new Network(List.of(new Station("master", 1, 1), new Station("satellite", 1, 1)), List.of(update));
        ClosedNetwork.Result result = ClosedNetwork.of(network, 5, OPERATIONS, 5);
        assertClose(100, result.perSecond());
        assertClose(0.8, result.used().get(1));
    }

    @Test
    void readsGoWhereTheFewestAreAndLessEfficientCoresDoLess() {
        List<Station> pair = List.of(new Station("one", 1, 0.5), new Station("other", 1, 0.5));
        Network network = new Network(
                pair, List.of(new Network.Kind(1, List.of(new Network.Visit(List.of(0, 1), 0.01)), List.of())));
        ClosedNetwork.Result result = ClosedNetwork.of(network, 50, OPERATIONS, 6);
        assertClose(100, result.perSecond());
        assertClose(1, result.used().getFirst());
        assertClose(1, result.used().getLast());
    }

    @Test
    void theSameSeedGivesTheSameAndAnotherOneDoesNot() {
        Network network = cycle(List.of(new Station("a", 2, 1), Station.delay("think")), 0.02, 0.1);
        assertEquals(ClosedNetwork.of(network, 9, 5_000, 7), ClosedNetwork.of(network, 9, 5_000, 7));
        assertNotEquals(ClosedNetwork.of(network, 9, 5_000, 7), ClosedNetwork.of(network, 9, 5_000, 8));
    }
}
