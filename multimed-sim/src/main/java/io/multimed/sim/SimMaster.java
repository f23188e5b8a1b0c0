package io.multimed.sim;

import static io.multimed.sim.Scheduler.MICROSECOND;
import static io.multimed.sim.Scheduler.MILLISECOND;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Master that behaves as PostgreSQL: a commit gets its place in the log, is flushed, waits for its synchronous standby, and
 * is visible only some time after that, in another order than that of the log; then it is acknowledged. The wait of a backend
 * can be cancelled. The Master may be killed at any moment; when it comes back, all commits in its log are visible at once,
 * whether or not they have finished their wait.
 *
 * <p>It has more fields than other classes, since it is one engine, whose log, transactions and waits a crash changes together.
 */
final class SimMaster {
    static final int KEYS = 6;

    /** A connection of the relay: the log sent on it, and both directions. */
    static final class Link {
        final Channel toRelay;
        final Channel toMaster;
        final int incarnation;
        private long sent;

        private Link(Scheduler scheduler, int incarnation, long position) {
            toRelay = new Channel(scheduler);
            toMaster = new Channel(scheduler);
            this.incarnation = incarnation;
            sent = position;
        }

        void close() {
            toRelay.close();
            toMaster.close();
        }
    }

    /** A transaction that may write. */
    static final class Transaction {
        private final long number;
        private final int incarnation;
        private final Snapshot snapshot;
        private int @Nullable [] keys;

        private Transaction(long number, int incarnation, Snapshot snapshot) {
            this.number = number;
            this.incarnation = incarnation;
            this.snapshot = snapshot;
        }

        /** Returns the snapshot of its first read. */
        Snapshot snapshot() {
            return snapshot;
        }
    }

    private record Waiting(LoggedCommit commit, Consumer<Boolean> outcome) {}

    private final Scheduler scheduler;
    private final SimRelayPort relay;
    private byte[] log = new byte[1 << 16];
    private int inserted;
    private int flushed;
    private final List<LoggedCommit> commits = new ArrayList<>();
    /** Whether snapshots see a commit, by index. */
    private final BitSet visible = new BitSet();
    /** Values that snapshots see, by key. */
    private final int[] versions = new int[KEYS];
    /** Numbers of the transactions that are not finished. */
    private final Set<Long> running = new HashSet<>();

    private final List<Waiting> waiting = new ArrayList<>();
    private final BitSet lockedKeys = new BitSet();
    private long nextTransaction = 1;
    private int nextVersion = 1;
    private boolean up = true;
    private int incarnation = 1;
    private @Nullable Link link;

    /** The Master's calls to the relay, over the wire. */
    interface SimRelayPort {
        void received(Link link, byte[] bytes);

        void lost(Link link);
    }

    SimMaster(Scheduler scheduler, SimRelayPort relay) {
        this.scheduler = scheduler;
        this.relay = relay;
        scheduler.every(50 * MILLISECOND, "master: background flush", () -> flush(inserted));
    }

    boolean up() {
        return up;
    }

    int incarnation() {
        return incarnation;
    }

    /** Returns the commits in the order of the log. */
    List<LoggedCommit> commits() {
        return commits;
    }

    // Calls of clients.

    /** Begins a transaction and takes its first snapshot, or returns null if the Master is down. */
    @Nullable
    Transaction begin() {
        if (!up) {
            return null;
        }
        Transaction transaction = new Transaction(nextTransaction++, incarnation, snapshot());
        running.add(transaction.number);
        return transaction;
    }

    void end(Transaction transaction) {
        if (transaction.incarnation == incarnation) {
            running.remove(transaction.number);
        }
    }

    /** Returns a snapshot as a list of the numbers of unfinished transactions. */
    Set<Long> runningTransactions() {
        Set<Long> notFinished = new HashSet<>(running);
        notFinished.add(nextTransaction);
        return notFinished;
    }

    long nextTransaction() {
        return nextTransaction;
    }

    /** Writes some keys and logs the write; false if the transaction must be given up. */
    boolean write(Transaction transaction, int[] keys) {
        if (transaction.incarnation != incarnation || Arrays.stream(keys).anyMatch(lockedKeys::get)) {
            return false;
        }
        Arrays.stream(keys).forEach(lockedKeys::set);
        transaction.keys = keys;
        append(LogRecords.filler(scheduler.below(scheduler.chance(0.05) ? 3_000 : 60)));
        return true;
    }

    /**
     * Commits. The outcome is reported as acknowledged (true), or as unknown (false) when the Master died on the way.
     *
     * @return the commit, which the log holds from now on unless the Master dies
     */
    @Nullable
    LoggedCommit commit(Transaction transaction, Consumer<Boolean> outcome) {
        int[] keys = transaction.keys;
        if (transaction.incarnation != incarnation || keys == null) {
            return null;
        }
        int version = nextVersion++;
        append(LogRecords.commit(transaction.number, version, keys));
        LoggedCommit commit = new LoggedCommit(commits.size(), transaction.number, version, keys, inserted);
        commits.add(commit);
        waiting.add(new Waiting(commit, outcome));
        int end = inserted;
        int era = incarnation;
        scheduler.after(scheduler.delay(100 * MICROSECOND), "master: flushed", () -> {
            if (era == incarnation) {
                flush(end);
            }
        });
        return commit;
    }

    /** Returns the snapshot of a read that begins now. */
    Snapshot snapshot() {
        return new Snapshot((BitSet) visible.clone(), versions.clone());
    }

    // Calls of the relay.

    /** Lets the relay stream from a position; null if the Master is down. An earlier link is closed. */
    @Nullable
    Link connect(long position) {
        if (!up) {
            return null;
        }
        disconnect();
        link = new Link(scheduler, incarnation, position);
        scheduler.after(scheduler.delay(50 * MICROSECOND), "master: stream", this::stream);
        return link;
    }

    /** Returns the end of the flushed log. */
    long position() {
        return flushed;
    }

    /** Confirms that the relay has everything up to {@code position}. */
    void confirmed(Link by, long position) {
        if (by != link) {
            return;
        }
        for (Waiting one : List.copyOf(waiting)) {
            if (one.commit.end() <= position && waiting.remove(one)) {
                finishLater(one);
            }
        }
    }

    private void finishLater(Waiting one) {
        int era = incarnation;
        // Backends are woken in order, but leave the list of running ones when they get a processor.
        scheduler.after(scheduler.delay(60 * MICROSECOND), "master: commit visible", () -> {
            if (era == incarnation) {
                finish(one);
            } else {
                one.outcome.accept(false);
            }
        });
    }

    private void finish(Waiting one) {
        show(one.commit);
        Arrays.stream(one.commit.keys()).forEach(lockedKeys::clear);
        running.remove(one.commit.transaction());
        int era = incarnation;
        scheduler.after(scheduler.delay(20 * MICROSECOND), "master: commit acknowledged", () -> {
            // A commit is acknowledged once the reply has left; if the Master dies first, the client never receives it.
            one.outcome.accept(era == incarnation);
        });
    }

    private void show(LoggedCommit commit) {
        visible.set(commit.index());
        // Its keys were locked until now, so that no later version of them can have been shown before.
        for (int key : commit.keys()) {
            versions[key] = commit.version();
        }
    }

    // The log.

    private void append(byte[] record) {
        if (inserted + record.length > log.length) {
            log = Arrays.copyOf(log, 2 * log.length);
        }
        System.arraycopy(record, 0, log, inserted, record.length);
        inserted += record.length;
    }

    private void flush(int end) {
        if (!up) {
            return;
        }
        // Whole pages are sometimes flushed along, so that the flushed log may end within a record.
        int more = scheduler.chance(0.1) ? scheduler.below(inserted - end + 1) : 0;
        flushed = Math.max(flushed, end + more);
        stream();
    }

    private void stream() {
        Link to = link;
        if (to == null || to.sent >= flushed) {
            return;
        }
        int length = (int) Math.min(flushed - to.sent, 1 + scheduler.below(scheduler.chance(0.5) ? 40 : 4_000));
        byte[] bytes = Arrays.copyOfRange(log, (int) to.sent, (int) to.sent + length);
        to.sent += length;
        to.toRelay.send("relay: log arrives", scheduler.delay(30 * MICROSECOND), () -> relay.received(to, bytes));
        stream();
    }

    /** Returns log from the Master's directory, whether the Master runs or not. */
    byte[] read(long position, int length) {
        return Arrays.copyOfRange(log, (int) position, (int) position + length);
    }

    /** Returns a copy of the data as of the end of the flushed log, in the order of the log, taken while it runs. */
    SimSatellite.Data backup() {
        LogRecords.Reader reader = new LogRecords.Reader(0);
        int[] versions = new int[KEYS];
        int[] count = new int[1];
        reader.read(Arrays.copyOf(log, flushed), (start, end, transaction, version, keys) -> {
            count[0]++;
            for (int key : keys) {
                versions[key] = version;
            }
        });
        return new SimSatellite.Data(reader.recordEnd(), count[0], versions);
    }

    // Faults.

    /** Breaks the relay's connection. The Master knows at once; the relay when the end arrives there. */
    void disconnect() {
        Link old = link;
        if (old != null) {
            link = null;
            old.toMaster.close();
            old.toRelay.send("relay: connection lost", scheduler.delay(MILLISECOND), () -> relay.lost(old));
        }
    }

    /**
     * Ends the waits for the relay of all backends that have flushed their commits.
     *
     * @param warned called for each, before any client can see its commit
     */
    void cutWaits(Runnable warned) {
        for (Waiting one : List.copyOf(waiting)) {
            if (one.commit.end() <= flushed && waiting.remove(one)) {
                warned.run();
                finishLater(one);
            }
        }
    }

    /** Kills the Master (kill -9): the log keeps its flushed part, and perhaps some of the part that was only written. */
    void kill() {
        up = false;
        incarnation++;
        disconnect();
        int keep = flushed + scheduler.below(inserted - flushed + 1);
        int end = 0;
        // A record that was cut is completed: the log never ends before its flushed end.
        while (end < inserted && end < keep) {
            end += LogRecords.length(log, end);
        }
        inserted = end;
        flushed = end;
        int survivors = 0;
        while (survivors < commits.size() && commits.get(survivors).end() <= end) {
            survivors++;
        }
        commits.subList(survivors, commits.size()).clear();
        List<Waiting> interrupted = List.copyOf(waiting);
        waiting.clear();
        interrupted.forEach(one -> scheduler.after(
                scheduler.delay(100 * MICROSECOND), "client: connection lost", () -> one.outcome.accept(false)));
        lockedKeys.clear();
        running.clear();
    }

    /** Recovers: all commits in the log are visible. */
    void restart() {
        commits.forEach(this::show);
        nextTransaction += 10;
        up = true;
    }
}
