package io.multimed.engine.postgresql.partial;

import io.multimed.engine.postgresql.relay.CatalogChange;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one partial Satellite from showing a commit by catalogs that are not the Master's as of that commit.
 *
 * <p>The catalogs of the Satellite are those of its seed for ever, since write sets bring rows alone. Each commit that may have changed
 * the Master's catalogs is a <em>doubt</em> until a snapshot of the Master that shows it has been compared with the seed.
 *
 * <p><b>Why no read is answered by other catalogs.</b> The relay reports a change before the commit's SCN becomes the floor, and the
 * commit is visible and acknowledged only after that. The applier calls {@link #await} with a position only when the relay has received
 * that much; so every doubt at or below it has been recorded. It does not pass an unsettled doubt. So {@code applied} stays below the
 * SCN of every commit that has changed the catalogs, and a read whose floor contains that commit is never placed there. A read with a
 * lower floor sees, as on any Satellite that lags behind, a prefix of the commits that ends before it.
 *
 * <p>If several doubts are settled by one snapshot, the last commit may have undone a change of the first. Therefore the Satellite goes
 * from before the first to the last without a reader between: {@link #await} returns the position that has to be reached at once.
 *
 * <p>Not covered: commits that neither waited for the relay nor were reported before others saw them, as limits.md says of {@code
 * synchronous_commit = off} and of cancelled waits; of these, one that another undoes at once goes unnoticed.
 *
 * <p>Thread-safe. Made before the copy, so that every commit behind the seed is reported to it.
 */
public final class CatalogWatch implements AutoCloseable {
    private final CatalogWatches owner;
    private final String database;
    private final Consumer<String> onDifference;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Doubts doubts = new Doubts();
    private @Nullable CatalogDigest seed;
    private @Nullable String difference;
    private boolean closed;

    CatalogWatch(CatalogWatches owner, String database, Consumer<String> onDifference) {
        this.owner = owner;
        this.database = database;
        this.onDifference = onDifference;
    }

    String database() {
        return database;
    }

    /** Records a commit that may have changed catalogs, of any database. The relay's thread; returns at once. */
    public void changed(CatalogChange change) {
        boolean work;
        lock.lock();
        try {
            CatalogDigest known = seed;
            boolean inDatabase = known == null || change.database() == 0 || change.database() == known.database();
            Set<CatalogPart> parts = CatalogPart.changedBy(change.objects(), inDatabase);
            if (parts.isEmpty() || ended()) {
                return;
            }
            doubts.add(change.scn(), change.transaction(), parts);
            work = known != null;
        } finally {
            lock.unlock();
        }
        if (work) {
            owner.wake();
        }
    }

    /**
     * Records that there may have been commits of which there is no report, because the relay has lost the Master, or is connected again.
     * Any thread; returns at once.
     */
    public void everythingMayHaveChanged() {
        lock.lock();
        try {
            if (ended()) {
                return;
            }
            doubts.addUnreported();
        } finally {
            lock.unlock();
        }
        owner.wake();
    }

    /**
     * Sets what the Satellite answers by. Until then nobody passes.
     *
     * @param catalogs of the Satellite, before tables were dropped there
     * @param position the SCN up to which it has the Master's commits, and so their changes of catalogs
     */
    public void seeded(CatalogDigest catalogs, long position) {
        lock.lock();
        try {
            seed = catalogs;
            doubts.contained(position);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        owner.wake();
    }

    /**
     * Waits until no commit at or below the position has changed the catalogs. The applier's thread, before it shows commits up to there.
     *
     * @param scn the relay has received everything up to here
     * @return the position up to which the applier has to go at once, in one transaction, after waiting for that position likewise;
     *     almost always {@code scn} itself
     * @throws CatalogsDifferException if the catalogs differ, here or at a later position
     * @throws CancellationException if the watch is closed
     */
    public long await(long scn) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                String reason = difference;
                if (reason != null) {
                    throw new CatalogsDifferException(reason);
                }
                if (closed) {
                    throw new CancellationException("the catalogs are not watched any more");
                }
                if (seed != null && doubts.mayPass(scn)) {
                    long whole = doubts.whole(scn);
                    if (whole == scn) {
                        doubts.passed(scn);
                    }
                    return whole;
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has doubts that can be settled. */
    boolean hasWork() {
        lock.lock();
        try {
            return seed != null && !doubts.isEmpty() && !ended();
        } finally {
            lock.unlock();
        }
    }

    private boolean ended() {
        return closed || difference != null;
    }

    /** Returns the number of the last doubt. */
    long lastDoubt() {
        lock.lock();
        try {
            return doubts.last();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Settles the doubts that a snapshot of the Master shows.
     *
     * @param before the last doubt before the snapshot was taken
     * @return false if the snapshot does not show the first doubt
     */
    boolean settle(CatalogSnapshot master, long before) throws SQLException {
        CatalogDigest known;
        List<Doubts.Doubt> shown;
        lock.lock();
        try {
            known = seed;
            if (known == null || doubts.isEmpty() || ended()) {
                return true;
            }
            // A doubt that was reported since then is among them if the snapshot shows it: reports come first.
            shown = doubts.shownBy(master.transactions(), before);
        } finally {
            lock.unlock();
        }
        if (shown.isEmpty()) {
            return false;
        }
        Set<CatalogPart> parts = EnumSet.noneOf(CatalogPart.class);
        shown.forEach(doubt -> parts.addAll(doubt.parts()));
        List<String> differences = known.differences(master, parts);
        if (!differences.isEmpty()) {
            differs("the catalogs of the master have changed: " + CatalogDigest.text(differences));
            return true;
        }
        lock.lock();
        try {
            doubts.settle(shown);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the Satellite's right to answer. The thread of {@link CatalogWatches}. */
    void differs(String reason) {
        lock.lock();
        try {
            if (ended()) {
                return;
            }
            difference = reason;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onDifference.accept(reason);
    }

    /** Ends it, without a call of {@code onDifference} from then on, except one under way. Any thread. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        owner.remove(this);
    }
}
