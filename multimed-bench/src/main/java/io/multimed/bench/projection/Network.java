package io.multimed.bench.projection;

import java.util.List;

/**
 * A closed network: clients that do one operation after the other, without a pause.
 *
 * @param kinds of operations
 */
record Network(List<Station> stations, List<Kind> kinds) {
    Network {
        stations = List.copyOf(stations);
        kinds = List.copyOf(kinds);
    }

    /**
     * A part of an operation.
     *
     * @param stations numbers of the stations that can do it; the one with the fewest jobs is chosen
     * @param seconds of service, on the average; exponentially distributed
     */
    record Visit(List<Integer> stations, double seconds) {
        Visit {
            stations = List.copyOf(stations);
        }
    }

    /**
     * Operations of one kind.
     *
     * @param share of all
     * @param visits one after the other
     * @param aside work that begins, all at once, when the operation is done, and for which no client waits
     */
    record Kind(double share, List<Visit> visits, List<Visit> aside) {
        Kind {
            visits = List.copyOf(visits);
            aside = List.copyOf(aside);
            if (visits.isEmpty()) {
                throw new IllegalArgumentException("an operation that needs nothing takes no time");
            }
        }
    }
}
