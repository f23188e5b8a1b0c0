package io.multimed.testkit.history;

import io.multimed.testkit.history.Violation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Checks a history against the Master's commit order. O(n log n).
 *
 * <p>A read on a Satellite must be a prefix of the order. Each register seen allows an interval of prefixes. Commits that were
 * acknowledged or seen before the read raise the lower end. Commits that no client had requested yet lower the upper end.
 * Taking for each read the least remaining prefix, in the order in which reads ended, finds a solution if there is one.
 *
 * <p>Where snapshots are {@linkplain Snapshots#COLLECTED collected}, a read on a Satellite may lack commits of its prefix that were
 * neither acknowledged nor seen before it began. Such reads are counted as forks.
 *
 * <p>A read on the Master sees a set of transactions: PostgreSQL makes a commit visible some time after it has written its
 * record, and another one may overtake it there. So a later commit may be seen and an earlier one missed, but only while the
 * earlier one is not acknowledged and no Satellite has shown it. Such reads are counted, but are no violations.
 */
public final class Checker {
    private static final int MOST_VIOLATIONS = 100;

    private final CommitIndex order;
    private final Promise promise;
    private final Snapshots snapshots;
    private final List<Update> updates;
    private final List<Read> reads;
    private final Map<Long, Update> updatesById = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private final long[] sent;
    private final long[] acknowledged;
    private final RunningMaximum sentInOrder = new RunningMaximum();
    private final Map<Integer, long[]> acknowledgedLater = new HashMap<>();
    private int forks;

    private Checker(
            List<Update> updates, List<Read> reads, List<Commit> commits, Promise promise, Snapshots snapshots) {
        this.updates = updates;
        this.promise = promise;
        this.snapshots = snapshots;
        order = new CommitIndex(commits);
        sent = new long[order.size() + 1];
        acknowledged = new long[order.size() + 1];
        updates.forEach(update -> updatesById.put(update.id(), update));
        // An update transaction reads on the Master.
        this.reads = Stream.concat(
                        reads.stream(),
                        updates.stream()
                                .filter(update -> !update.read().isEmpty())
                                .map(update -> Read.first(
                                        update.session(),
                                        update.invoked(),
                                        update.outcome() == Outcome.FAIL ? update.replied() : update.commitSent(),
                                        true,
                                        update.read(),
                                        Read.NOT_LOOKED,
                                        0)))
                .toList();
    }

    /** Checks the history of engines whose snapshots are prefixes of the order. */
    public static Report check(List<Update> updates, List<Read> reads, List<Commit> commits, Promise promise) {
        return check(updates, reads, commits, promise, Snapshots.PREFIXES);
    }

    /**
     * @param updates of all sessions, in any order
     * @param reads of all sessions, in any order
     * @param commits in the order of the Master's commit records
     * @param promise the freshness that the sessions had chosen
     * @param snapshots those of the Satellites
     */
    public static Report check(
            List<Update> updates, List<Read> reads, List<Commit> commits, Promise promise, Snapshots snapshots) {
        return new Checker(updates, reads, commits, promise, snapshots).check();
    }

    private Report check() {
        checkDurability();
        indexTimes();
        checkLostUpdates();
        if (promise == Promise.STRONG) {
            checkReads(updates, reads);
        } else {
            Map<Integer, List<Update>> updatesBySession = new TreeMap<>();
            Map<Integer, List<Read>> readsBySession = new TreeMap<>();
            updates.forEach(update -> updatesBySession
                    .computeIfAbsent(update.session(), s -> new ArrayList<>())
                    .add(update));
            reads.forEach(read -> readsBySession
                    .computeIfAbsent(read.session(), s -> new ArrayList<>())
                    .add(read));
            readsBySession.forEach(
                    (session, own) -> checkReads(updatesBySession.getOrDefault(session, List.of()), own));
        }
        int undecided = (int) updates.stream()
                .filter(update -> update.outcome() == Outcome.INFO)
                .count();
        int onMaster = (int) reads.stream().filter(Read::master).count();
        return new Report(violations, order.size(), reads.size() - onMaster, onMaster, forks, undecided);
    }

    private void checkDurability() {
        Set<Long> seen = new HashSet<>();
        for (int position = 1; position <= order.size(); position++) {
            Commit commit = order.at(position);
            Update update = updatesById.get(commit.id());
            if (!seen.add(commit.id())) {
                violated(Kind.DOUBLED_COMMIT, commit + " again at " + position);
            } else if (update == null || update.outcome() == Outcome.FAIL) {
                violated(Kind.UNEXPECTED_COMMIT, commit + ", but " + update);
            } else if (!update.wrote().equals(commit.registers())) {
                violated(Kind.WRONG_WRITE, commit + ", but " + update);
            }
        }
        for (Update update : updates) {
            if (update.outcome() == Outcome.OK && !seen.contains(update.id())) {
                violated(Kind.LOST_COMMIT, update.toString());
            }
        }
    }

    private void indexTimes() {
        for (int position = 1; position <= order.size(); position++) {
            Update update = updatesById.get(order.at(position).id());
            // A transaction that no client recorded is a violation already; nothing more can be checked for it.
            sent[position] = update == null ? Long.MIN_VALUE : update.commitSent();
            acknowledged[position] =
                    update == null || update.outcome() != Outcome.OK ? Long.MAX_VALUE : update.replied();
            // A commit behind another one in the log came after it, whatever its client's clock says of the sending.
            sent[position] = Math.max(sent[position], sent[position - 1]);
            sentInOrder.add(sent[position], position);
        }
    }

    private void checkLostUpdates() {
        for (Update update : updates) {
            int position = order.position(update.id());
            if (position == CommitIndex.NOT_COMMITTED) {
                continue;
            }
            for (int register : order.at(position).registers()) {
                Long read = update.read().get(register);
                int previous = order.previous(register, position);
                if (read != null && order.position(read) != previous) {
                    violated(
                            Kind.LOST_UPDATE,
                            update + " overwrote register " + register + " of "
                                    + (previous == 0 ? "nobody" : order.at(previous)));
                }
            }
        }
    }

    /** Checks reads for the promise, which relates them to each other and to the given updates. */
    private void checkReads(List<Update> owedUpdates, List<Read> owedReads) {
        RunningMaximum acknowledgedBefore = new RunningMaximum();
        owedUpdates.stream()
                .filter(update -> update.outcome() == Outcome.OK)
                .sorted(Comparator.comparingLong(Update::replied))
                .forEach(update -> acknowledgedBefore.add(update.replied(), Math.max(0, order.position(update.id()))));
        // The observations of finished reads: the position up to which everything was seen, and single commits that
        // were seen, with everything that a prefix with them contains.
        RunningMaximum everythingUpTo = new RunningMaximum();
        RunningMaximum somethingAt = new RunningMaximum();
        List<Read> byEnd = owedReads.stream()
                .sorted(Comparator.comparingLong(Read::replied))
                .toList();
        for (Read read : byEnd) {
            if (sawUncommitted(read)) {
                continue;
            }
            if (read.master()) {
                somethingAt.add(read.replied(), checkOnMaster(read, acknowledgedBefore, everythingUpTo));
            } else {
                int position = checkOnSatellite(read, acknowledgedBefore, somethingAt);
                everythingUpTo.add(read.replied(), position);
                somethingAt.add(read.replied(), position);
            }
        }
    }

    private boolean sawUncommitted(Read read) {
        for (Map.Entry<Integer, Long> seen : read.registers().entrySet()) {
            int position = order.position(seen.getValue());
            if (position == CommitIndex.NOT_COMMITTED || !order.wrote(position, seen.getKey())) {
                violated(Kind.UNCOMMITTED_READ, "register " + seen + " of " + read);
                return true;
            }
        }
        if (read.count() > order.size()) {
            violated(Kind.UNCOMMITTED_READ, "more rows than commits (" + order.size() + "): " + read);
            return true;
        }
        return false;
    }

    /** @return the least prefix that the read can have seen */
    private int checkOnSatellite(Read read, RunningMaximum acknowledgedBefore, RunningMaximum somethingAt) {
        int low = 0;
        int high = order.size();
        for (Map.Entry<Integer, Long> seen : read.registers().entrySet()) {
            int position = order.position(seen.getValue());
            low = Math.max(low, position);
            int next = order.next(seen.getKey(), position);
            high = Math.min(high, next == Integer.MAX_VALUE ? order.size() : next - 1);
        }
        String torn = "holds commit ";
        if (read.count() != Read.NOT_LOOKED) {
            int count = (int) read.count();
            low = Math.max(low, count);
            high = Math.min(high, count);
            if (order.sum(count) != read.sum()) {
                // As many commits as the first ones, but others: a later one is there, and one of the first is not.
                high = Math.min(high, count - 1);
                torn = "not the first " + count + " commits, holds ";
            }
        }
        if (low > high) {
            if (snapshots == Snapshots.PREFIXES) {
                violated(Kind.TORN_SNAPSHOT, torn + low + ", lacks commit " + (high + 1) + ": " + read);
                return 0;
            }
            forks++;
        }
        int mustSee = acknowledgedBefore.before(read.invoked());
        int wasSeen = somethingAt.before(read.invoked());
        int mayHaveBeen = sentInOrder.countBefore(read.replied());
        if (high < mustSee) {
            violated(Kind.STALE_READ, "lacks commit " + mustSee + " (" + order.at(mustSee) + "): " + read);
        } else if (high < wasSeen) {
            violated(Kind.WENT_BACK, "lacks commit " + wasSeen + " (" + order.at(wasSeen) + ") seen before: " + read);
        }
        if (low > mayHaveBeen) {
            violated(Kind.FUTURE_READ, "holds commit " + low + " (" + order.at(low) + "): " + read);
        }
        // When a snapshot holds a commit, the engine has applied all earlier ones, even if the snapshot began before
        // that.
        return Math.max(low, Math.min(high, Math.max(mustSee, wasSeen)));
    }

    /** @return the last commit that the read surely saw */
    private int checkOnMaster(Read read, RunningMaximum acknowledgedBefore, RunningMaximum everythingUpTo) {
        // The Master waits for the commits that Satellites have shown before a transaction's first snapshot, not before
        // each one.
        int wasSeen = everythingUpTo.before(read.begun());
        int mayHaveBeen = sentInOrder.countBefore(read.replied());
        int reached = 0;
        int lacks = Integer.MAX_VALUE;
        for (Map.Entry<Integer, Long> seen : read.registers().entrySet()) {
            int position = order.position(seen.getValue());
            int next = order.next(seen.getKey(), position);
            reached = Math.max(reached, position);
            lacks = Math.min(lacks, next);
            if (acknowledgedAfter(seen.getKey(), position) < read.invoked()) {
                violated(Kind.STALE_READ, "lacks a later version of register " + seen + ": " + read);
            } else if (next <= wasSeen) {
                violated(Kind.WENT_BACK, "lacks commit " + next + " (" + order.at(next) + ") seen before: " + read);
            }
        }
        if (read.count() != Read.NOT_LOOKED) {
            int count = (int) read.count();
            reached = Math.max(reached, count);
            lacks = Math.min(lacks, order.sum(count) == read.sum() ? count + 1 : reached);
            if (count < acknowledgedBefore.countBefore(read.invoked())) {
                violated(Kind.STALE_READ, "fewer rows than were acknowledged: " + read);
            } else if (count < wasSeen) {
                violated(Kind.WENT_BACK, "fewer rows than were seen before (" + wasSeen + "): " + read);
            }
        }
        if (reached > mayHaveBeen) {
            violated(Kind.FUTURE_READ, "holds commit " + reached + " (" + order.at(reached) + "): " + read);
        } else if (reached >= lacks) {
            forks++;
        }
        return reached;
    }

    /** Returns when the first of the later versions of the register was acknowledged, if the promise covers all sessions. */
    private long acknowledgedAfter(int register, int position) {
        if (promise != Promise.STRONG) {
            return Long.MAX_VALUE;
        }
        int[] versions = order.versions(register);
        long[] first = acknowledgedLater.computeIfAbsent(register, r -> {
            long[] times = new long[versions.length];
            long earliest = Long.MAX_VALUE;
            for (int i = versions.length - 1; i >= 0; i--) {
                times[i] = earliest;
                earliest = Math.min(earliest, versions[i] == 0 ? Long.MAX_VALUE : acknowledged[versions[i]]);
            }
            return times;
        });
        return first[Arrays.binarySearch(versions, position)];
    }

    private void violated(Kind kind, String what) {
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add(new Violation(kind, what));
        }
    }
}
