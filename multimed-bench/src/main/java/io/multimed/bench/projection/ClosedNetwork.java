package io.multimed.bench.projection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Simulates a closed network event by event, in simulated time; the same seed gives the same result.
 *
 * <p>A station that shares its servers equally serves each of its jobs by the same amount in the same time. So each station
 * counts the service that one permanent job would have received. A job ends when that count has grown by its demand, so that no
 * event touches more than one job.
 */
final class ClosedNetwork {
    /** Share of the operations that come before the network is in its steady state. */
    private static final double WARM_UP = 0.2;

    /**
     * The result of a simulation.
     *
     * @param perSecond operations
     * @param residence seconds of a visit, by station, waiting included
     * @param used of each station's servers, from 0 to 1; 0 for delays
     */
    record Result(double perSecond, List<Double> residence, List<Double> used) {}

    /** An operation in progress, or the work that it left to be done aside. */
    private static final class Job {
        final Network.Kind kind;
        final boolean aside;
        int next;
        double arrived;
        double ends;

        Job(Network.Kind kind, boolean aside) {
            this.kind = kind;
            this.aside = aside;
        }
    }

    private static final class Place {
        final Station station;
        final PriorityQueue<Job> jobs = new PriorityQueue<>(Comparator.comparingDouble(job -> job.ends));
        double received;
        double at;
        double residence;
        double busy;
        long visits;

        Place(Station station) {
            this.station = station;
        }

        /** Returns the time at which the next job ends if no other job arrives. */
        double nextEnd() {
            Job first = jobs.peek();
            return first == null
                    ? Double.POSITIVE_INFINITY
                    : at + Math.max(0, first.ends - received) / station.rate(jobs.size());
        }

        void advance(double now) {
            if (!jobs.isEmpty()) {
                received += (now - at) * station.rate(jobs.size());
                busy += (now - at) * Math.min(station.servers(), jobs.size());
            }
            at = now;
        }
    }

    private final Network network;
    private final Random random;
    private final List<Place> places = new ArrayList<>();
    private double now;
    private long completed;

    private ClosedNetwork(Network network, long seed) {
        this.network = network;
        this.random = new Random(seed);
        network.stations().forEach(station -> places.add(new Place(station)));
    }

    /**
     * @param operations number of operations after which it ends
     */
    static Result of(Network network, int clients, long operations, long seed) {
        return new ClosedNetwork(network, seed).run(clients, operations);
    }

    private Result run(int clients, long operations) {
        for (int client = 0; client < clients; client++) {
            proceed(new Job(kind(), false));
        }
        long warm = (long) (operations * WARM_UP);
        play(warm);
        double began = now;
        for (Place place : places) {
            place.advance(now);
            place.residence = 0;
            place.busy = 0;
            place.visits = 0;
        }
        play(operations);
        double seconds = now - began;
        return new Result(
                (operations - warm) / seconds,
                places.stream()
                        .map(place -> place.visits == 0 ? 0 : place.residence / place.visits)
                        .toList(),
                places.stream()
                        .map(place -> place.station.servers() == Station.UNLIMITED
                                ? 0
                                : place.busy / seconds / place.station.servers())
                        .toList());
    }

    private void play(long until) {
        while (completed < until) {
            Place next = places.getFirst();
            double earliest = Double.POSITIVE_INFINITY;
            for (Place place : places) {
                double end = place.nextEnd();
                if (end < earliest) {
                    earliest = end;
                    next = place;
                }
            }
            now = earliest;
            next.advance(now);
            Job job = next.jobs.remove();
            next.residence += now - job.arrived;
            next.visits++;
            if (!job.aside) {
                proceed(job);
            }
        }
    }

    /** Moves a job to its next visit; a client whose job is done begins a new one. */
    private void proceed(Job job) {
        Job current = job;
        while (current.next == current.kind.visits().size()) {
            completed++;
            current.kind.aside().forEach(visit -> enter(new Job(job.kind, true), visit));
            current = new Job(kind(), false);
        }
        enter(current, current.kind.visits().get(current.next++));
    }

    private void enter(Job job, Network.Visit visit) {
        Place chosen = places.get(visit.stations().getFirst());
        for (int station : visit.stations()) {
            Place other = places.get(station);
            chosen = other.jobs.size() < chosen.jobs.size() ? other : chosen;
        }
        chosen.advance(now);
        job.arrived = now;
        job.ends = chosen.received - visit.seconds() * Math.log(1 - random.nextDouble());
        chosen.jobs.add(job);
    }

    private Network.Kind kind() {
        double drawn = random.nextDouble()
                * network.kinds().stream().mapToDouble(Network.Kind::share).sum();
        for (Network.Kind kind : network.kinds()) {
            drawn -= kind.share();
            if (drawn < 0) {
                return kind;
            }
        }
        return network.kinds().getLast();
    }
}
