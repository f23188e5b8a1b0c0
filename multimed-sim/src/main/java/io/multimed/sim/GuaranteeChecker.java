package io.multimed.sim;

import io.multimed.model.Freshness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Checks whether the answers to clients keep Multimed's guarantees. It knows the order of the Master's log, the time of each
 * acknowledgement, and the result of each read. It does not know floors, positions and states.
 */
final class GuaranteeChecker {
    /** The commits that a session has made or seen: they may never become invisible to it. */
    static final class SessionView {
        private final String name;
        private final BitSet known = new BitSet();

        SessionView(String name) {
            this.name = name;
        }

        void committed(LoggedCommit commit) {
            known.set(commit.index());
        }
    }

    /**
     * The commits that a read must see, given the moment at which it began.
     *
     * @param text why, for the message
     */
    record Expectation(SessionView session, BitSet commits, String text) {}

    private record Acknowledgement(long time, int index) {}

    private final Scheduler scheduler;
    private final List<Acknowledgement> acknowledgements = new ArrayList<>();
    private final BitSet acknowledged = new BitSet();
    /** The commits that any client has seen, on the Master by whatever way, or on a Satellite. */
    private final BitSet seen = new BitSet();

    /** States by number of commits. Only states that were seen once, and so are never lost, are kept here. */
    private final List<int[]> prefixes = new ArrayList<>(List.of(new int[SimMaster.KEYS]));

    private int reads;
    private int satelliteReads;

    GuaranteeChecker(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    int reads() {
        return reads;
    }

    int satelliteReads() {
        return satelliteReads;
    }

    int commits() {
        return acknowledgements.size();
    }

    /** Records that the Master has acknowledged a commit to a client. */
    void acknowledged(LoggedCommit commit) {
        acknowledged.set(commit.index());
        acknowledgements.add(new Acknowledgement(scheduler.now(), commit.index()));
    }

    /** Records commits that any client could see on the Master, through Multimed or not. */
    void visibleOnMaster(BitSet commits) {
        seen.or(commits);
    }

    /** Records that a client begins a read. */
    Expectation begin(SessionView session, Freshness freshness) {
        BitSet must = (BitSet) session.known.clone();
        String text = "what its session has seen";
        if (freshness instanceof Freshness.Strong) {
            must.or(acknowledged);
            must.or(seen);
            text = "all that was acknowledged or seen before";
        } else if (freshness instanceof Freshness.Eventual eventual) {
            long oldest = scheduler.now() - eventual.maxLag().toNanos();
            must.or(acknowledged);
            for (int i = acknowledgements.size() - 1; i >= 0 && acknowledgements.get(i).time > oldest; i--) {
                int young = acknowledgements.get(i).index;
                must.set(young, session.known.get(young));
            }
            text = "what is older than its lag";
        }
        return new Expectation(session, must, text);
    }

    /** Checks a client's answer. */
    void answered(Expectation expectation, Snapshot answer, List<LoggedCommit> log, String where) {
        reads++;
        satelliteReads += where.equals("master") ? 0 : 1;
        scheduler.trace(answer.commits());
        SessionView session = expectation.session;
        if (!Arrays.equals(versionsOf(answer.commits(), log), answer.versions())) {
            throw new GuaranteeViolation(session.name + " read a state on " + where + " that is no state of "
                    + answer.commits().cardinality() + " commits: " + Arrays.toString(answer.versions()));
        }
        require(expectation.commits, answer, session.name + " on " + where + " missed " + expectation.text);
        require(session.known, answer, session.name + " on " + where + " went back");
        session.known.or(answer.commits());
        seen.or(answer.commits());
    }

    private static void require(BitSet commits, Snapshot answer, String message) {
        BitSet missing = (BitSet) commits.clone();
        missing.andNot(answer.commits());
        if (!missing.isEmpty()) {
            throw new GuaranteeViolation(
                    message + ": commits " + missing + " of " + answer.commits().length());
        }
    }

    /** Records that the Master has died and its log keeps only the first {@code survivors} commits. */
    void logCut(int survivors) {
        if (acknowledged.length() > survivors) {
            throw new GuaranteeViolation("acknowledged commit " + (acknowledged.length() - 1) + " was lost");
        }
        if (seen.length() > survivors) {
            throw new GuaranteeViolation("commit " + (seen.length() - 1) + " was seen and lost");
        }
    }

    /** Checks that at rest a Satellite has the Master's contents. */
    void converged(String name, Snapshot satellite, Snapshot master) {
        if (!Arrays.equals(satellite.versions(), master.versions())) {
            throw new GuaranteeViolation(name + " holds " + Arrays.toString(satellite.versions())
                    + " at rest, the master " + Arrays.toString(master.versions()));
        }
    }

    private int[] versionsOf(BitSet commits, List<LoggedCommit> log) {
        int complete = commits.nextClearBit(0);
        int[] versions = prefix(complete, log).clone();
        for (int i = commits.nextSetBit(complete); i >= 0; i = commits.nextSetBit(i + 1)) {
            write(log.get(i), versions);
        }
        return versions;
    }

    /** Returns the state after the first {@code commits} commits. */
    private int[] prefix(int commits, List<LoggedCommit> log) {
        while (prefixes.size() <= commits) {
            int[] next = prefixes.get(prefixes.size() - 1).clone();
            write(log.get(prefixes.size() - 1), next);
            prefixes.add(next);
        }
        return prefixes.get(commits);
    }

    private static void write(LoggedCommit commit, int[] versions) {
        for (int key : commit.keys()) {
            versions[key] = commit.version();
        }
    }
}
