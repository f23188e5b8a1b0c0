package io.multimed.engine.postgresql.partial;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Positions at which the Master's catalogs may have changed, for one Satellite.
 *
 * <p>A snapshot that shows several of them at once and finds the catalogs as they were does not tell whether they were so between the
 * first and the last: the last may have undone the first. Therefore no reader may see a position between them; see {@link #whole}.
 *
 * <p>Guarded by its owner's lock.
 */
final class Doubts {
    private static final long NO_TRANSACTION = 0;

    /**
     * A commit that may have changed catalogs.
     *
     * @param scn its position
     * @param number in the order of the reports
     * @param transaction 64-bit number; {@link #NO_TRANSACTION} if nobody has reported a commit and there may have been some
     * @param parts that it may have changed
     */
    record Doubt(long scn, long number, long transaction, Set<CatalogPart> parts) {}

    private final TreeSet<Doubt> open =
            new TreeSet<>(Comparator.comparingLong(Doubt::scn).thenComparingLong(Doubt::number));
    /** The positions from a key on and before its value have not been looked at one by one. */
    private final TreeMap<Long, Long> between = new TreeMap<>();

    private long number;
    private long passed;

    void add(long scn, long transaction, Set<CatalogPart> parts) {
        open.add(new Doubt(scn, ++number, transaction, Set.copyOf(parts)));
    }

    /** Notes that there may have been commits, behind all that has been passed, of which there is no report. */
    void addUnreported() {
        add(passed + 1, NO_TRANSACTION, Set.of(CatalogPart.values()));
    }

    /** Returns the number of the last doubt. */
    long last() {
        return number;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Forgets what a seed up to this position contains. */
    void contained(long seed) {
        open.removeIf(doubt -> doubt.transaction() != NO_TRANSACTION && doubt.scn() <= seed);
        passed = Math.max(passed, seed);
    }

    /**
     * Returns the doubts that a snapshot settles; none unless it shows the first of all, without which nobody can go on.
     *
     * @param before the {@link #last} doubt before the snapshot was taken
     */
    List<Doubt> shownBy(LongPredicate snapshot, long before) {
        List<Doubt> shown =
                open.stream().filter(doubt -> shows(snapshot, before, doubt)).toList();
        return !shown.isEmpty() && shown.getFirst().equals(open.first()) ? shown : List.of();
    }

    private static boolean shows(LongPredicate snapshot, long before, Doubt doubt) {
        return doubt.transaction() == NO_TRANSACTION ? doubt.number() <= before : snapshot.test(doubt.transaction());
    }

    /** Notes that the catalogs are as they were, as of a snapshot that shows these and no other doubts. */
    void settle(List<Doubt> shown) {
        shown.forEach(open::remove);
        long first = shown.getFirst().scn();
        long end = shown.getLast().scn();
        if (first < end) {
            between.merge(first, end, Math::max);
        }
    }

    /** Whether no doubt is open at or below the position. */
    boolean mayPass(long scn) {
        return open.isEmpty() || open.first().scn() > scn;
    }

    /** Returns the least position, not below the given one, at which the catalogs have been looked at. */
    long whole(long scn) {
        long whole = scn;
        for (Map.Entry<Long, Long> range : between.entrySet()) {
            if (range.getKey() <= whole && whole < range.getValue()) {
                whole = range.getValue();
            }
        }
        return whole;
    }

    /** Notes that everything up to here is about to be shown. */
    void passed(long scn) {
        passed = Math.max(passed, scn);
        between.values().removeIf(end -> end <= passed);
    }
}
