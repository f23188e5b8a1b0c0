package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who receive the write sets of a database, or will after their copy: their lanes, and the position behind which the Master must
 * be able to give every commit.
 *
 * <p>It has more lines than other classes, since the receivers, their lanes and the position that the Master is told change
 * together under one lock.
 *
 * <p>Any thread. Nothing here waits for the Master but the lanes' own threads.
 */
final class Receivers {
    private static final Logger LOG = LoggerFactory.getLogger(Receivers.class);

    private final MasterDatabase database;
    private final WriteSetLimits limits;
    private final Capture capture;
    private final Runnable somebodyLeft;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}, as all that follows. */
    private final List<Receiver> receivers = new ArrayList<>();

    private final Map<Subscription, Lane> ownLanes = new HashMap<>();
    /** The source, from its creation on until it is to be dropped or known to be gone. */
    private @Nullable ChangeSource source;
    /** Written under the lock. */
    private volatile @Nullable Lane main;
    /** The greatest position that the Master was ever told it need not give again. */
    private long confirmed;

    private int newcomers;
    private boolean closed;

    /** A Satellite that receives, or is being copied. Guarded by {@link #lock}. */
    final class Receiver implements MasterWriteSets.Joining {
        private final Set<String> names;
        private long hold;
        /** Marks of the tables that were captured before the copy. */
        private Set<String> captured = Set.of();

        private @Nullable Subscription subscription;
        private @Nullable Throwable failure;

        private Receiver(Collection<String> names, long hold) {
            this.names = new TreeSet<>(names);
            this.hold = hold;
        }

        @Override
        public Subscription join(Predicate<QualifiedName> tables, long seed) throws EngineException {
            requireAllCaptured();
            return Receivers.this.join(this, tables, seed);
        }

        /** Notes the tables that are captured, by their marks, before the copy begins. */
        void receives(Set<String> marks) {
            lock.lock();
            try {
                captured = Set.copyOf(marks);
            } finally {
                lock.unlock();
            }
        }

        /** The copy may contain tables that were created or altered after the others had been captured. Their changes would be missing. */
        private void requireAllCaptured() throws EngineException {
            Map<String, String> wanted;
            try (Connection master = database.connect()) {
                wanted = capture.wanted(master, names);
            } catch (SQLException e) {
                throw new EngineException(
                        "Cannot compare the tables of the copy with those that are captured: " + e.getMessage() + ".",
                        e);
            }
            lock.lock();
            try {
                wanted.keySet().removeAll(captured);
            } finally {
                lock.unlock();
            }
            if (!wanted.isEmpty()) {
                throw new EngineException(
                        "Tables were created or altered during the copy: " + String.join(", ", wanted.values()) + ".");
            }
        }

        /** Raises the position behind which it needs every commit, before it joins. */
        void holdFrom(long position) throws EngineException {
            lock.lock();
            try {
                requireAlive();
                hold = Math.max(hold, position);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (subscription == null && receivers.remove(this)) {
                    failure = new CancellationException("closed");
                    somebodyLeft.run();
                }
            } finally {
                lock.unlock();
            }
        }

        private void requireAlive() throws EngineException {
            Throwable lost = failure;
            if (lost != null) {
                throw new EngineException("The write sets have been lost: " + lost.getMessage(), lost);
            }
        }

        private boolean lives() {
            Subscription joined = subscription;
            return failure == null && (joined == null || joined.ended() == null);
        }

        /** Returns the position behind which it needs every commit. */
        private long needs() {
            Subscription joined = subscription;
            return joined == null ? hold : joined.done();
        }

        private void fail(Throwable cause) {
            if (failure == null) {
                failure = cause;
            }
            Subscription joined = subscription;
            if (joined != null) {
                joined.end(cause);
                leaveLanes(joined);
            }
        }
    }

    /** @param somebodyLeft told when the Master may have to keep less; it must not wait */
    Receivers(MasterDatabase database, WriteSetLimits limits, Capture capture, Runnable somebodyLeft) {
        this.database = database;
        this.limits = limits;
        this.capture = capture;
        this.somebodyLeft = somebodyLeft;
    }

    /** Enters a receiver, and so holds the confirmed position where it is. */
    Receiver announce(Collection<String> tables) throws EngineException {
        lock.lock();
        try {
            if (closed) {
                throw new EngineException("The write sets are closed.");
            }
            Receiver receiver = new Receiver(tables, confirmed);
            receivers.add(receiver);
            return receiver;
        } finally {
            lock.unlock();
        }
    }

    boolean haveSource() {
        lock.lock();
        try {
            return source != null;
        } finally {
            lock.unlock();
        }
    }

    /** Notes a source that gives every commit behind {@code from}. */
    void sourceCreated(ChangeSource created, long from) {
        lock.lock();
        try {
            source = created;
            confirmed = from;
        } finally {
            lock.unlock();
        }
    }

    private Subscription join(Receiver receiver, Predicate<QualifiedName> tables, long seed) throws EngineException {
        lock.lock();
        try {
            receiver.requireAlive();
            if (receiver.subscription != null) {
                throw new IllegalStateException("joined twice");
            }
            if (seed < receiver.hold) {
                throw new IllegalArgumentException("the copy was begun before the write sets were held for it");
            }
            Subscription subscription = new Subscription(tables, seed, limits.queueBytes());
            receiver.subscription = subscription;
            if (main == null) {
                Lane first = new Lane("multimed-writesets", seed, new MainCourse());
                first.add(subscription);
                main = first;
                first.start();
            } else {
                catchUp(subscription);
            }
            return subscription;
        } finally {
            lock.unlock();
        }
    }

    /** Gives a subscription a lane of its own until it has received what the main one has given. Guarded by {@link #lock}. */
    private void catchUp(Subscription subscription) {
        Lane shared = main;
        if (shared == null || subscription.ended() != null) {
            return;
        }
        newcomers++;
        Lane own = new Lane("multimed-writesets-" + newcomers, subscription.received(), new OwnCourse(subscription));
        own.add(subscription);
        ownLanes.put(subscription, own);
        shared.await(subscription);
        own.start();
    }

    void leave(Subscription subscription) {
        subscription.end(new CancellationException("left"));
        lock.lock();
        try {
            receivers.removeIf(receiver -> receiver.subscription == subscription);
            leaveLanes(subscription);
            somebodyLeft.run();
        } finally {
            lock.unlock();
        }
    }

    private void leaveLanes(Subscription subscription) {
        Lane own = ownLanes.remove(subscription);
        if (own != null) {
            own.stop();
        }
        if (main != null) {
            main.remove(subscription);
        }
    }

    /** Ends all, with a cause. */
    void fail(Throwable cause) {
        lock.lock();
        try {
            for (Receiver receiver : receivers) {
                receiver.fail(cause);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends those who have tables, by the tables' names as they were announced, for the reasons that are given. */
    void fail(Map<String, String> reasons) {
        lock.lock();
        try {
            for (Receiver receiver : receivers) {
                for (String name : receiver.names) {
                    String reason = reasons.get(name);
                    if (reason != null) {
                        receiver.fail(new EngineException(reason));
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the tables of those who live; each has some. */
    Set<String> names() {
        lock.lock();
        try {
            Set<String> names = new TreeSet<>();
            for (Receiver receiver : receivers) {
                if (receiver.lives()) {
                    names.addAll(receiver.names);
                }
            }
            return names;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the source up, and ends the lanes; nobody lives, or will before this returns. */
    void endLanes() {
        List<Lane> lanes;
        lock.lock();
        try {
            lanes = lanes();
            ownLanes.clear();
            main = null;
            source = null;
        } finally {
            lock.unlock();
        }
        lanes.forEach(Lane::close);
    }

    /** Guarded by {@link #lock}. */
    private List<Lane> lanes() {
        List<Lane> lanes = new ArrayList<>(ownLanes.values());
        Lane shared = main;
        if (shared != null) {
            lanes.add(shared);
        }
        return lanes;
    }

    /** Ends all, and takes nobody any more. */
    void close() {
        List<Lane> lanes;
        lock.lock();
        try {
            closed = true;
            lanes = lanes();
            fail(new CancellationException("closed"));
        } finally {
            lock.unlock();
        }
        lanes.forEach(Lane::close);
    }

    /** Has the Master report at once how far it is. */
    void hurry() {
        Lane running = main;
        if (running != null) {
            running.hurry();
        }
    }

    /** Returns the number of transactions that came in parts on the main lane, for tests. */
    long streamed() {
        Lane running = main;
        return running == null ? 0 : running.streamed();
    }

    /** The way of the lane that all share. */
    private final class MainCourse implements Lane.Course {
        @Override
        public WriteSetStream begin(long from) throws IOException, MasterRefusedException {
            return source().open(from, limits.openBytes());
        }

        @Override
        public long confirmed(long received) {
            lock.lock();
            try {
                long least = received;
                for (Receiver receiver : receivers) {
                    if (receiver.lives()) {
                        least = Math.min(least, receiver.needs());
                    }
                }
                confirmed = Math.max(confirmed, least);
                return confirmed;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void leftBehind(Subscription subscription) {
            LOG.info("A partial Satellite applies more slowly than others: the log is decoded for it alone for now");
            lock.lock();
            try {
                catchUp(subscription);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void joined(Subscription subscription) {
            lock.lock();
            try {
                Lane own = ownLanes.remove(subscription);
                if (own != null) {
                    own.stop();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void ended(Throwable cause) {
            LOG.warn("The write sets of database {} are lost: {}", database.database(), cause.getMessage());
            lock.lock();
            try {
                source = null;
                main = null;
                fail(cause);
                somebodyLeft.run();
            } finally {
                lock.unlock();
            }
        }
    }

    private ChangeSource source() throws MasterRefusedException {
        lock.lock();
        try {
            ChangeSource shared = source;
            if (shared == null) {
                throw new MasterRefusedException("42704", "the slot is gone");
            }
            return shared;
        } finally {
            lock.unlock();
        }
    }

    /** The way of a subscription's own lane. */
    private final class OwnCourse implements Lane.Course {
        private final Subscription rider;

        OwnCourse(Subscription rider) {
            this.rider = rider;
        }

        @Override
        public WriteSetStream begin(long from) throws IOException, MasterRefusedException {
            return source().openBeside(from, limits.openBytes());
        }

        @Override
        public long confirmed(long received) {
            return rider.done();
        }

        @Override
        public void leftBehind(Subscription subscription) {
            throw new IllegalStateException("nobody else is on this lane");
        }

        @Override
        public void joined(Subscription subscription) {
            throw new IllegalStateException("nobody waits for this lane");
        }

        @Override
        public void ended(Throwable cause) {
            LOG.warn("The write sets of a partial Satellite are lost: {}", cause.getMessage());
            lock.lock();
            try {
                rider.end(cause);
                leaveLanes(rider);
                somebodyLeft.run();
            } finally {
                lock.unlock();
            }
        }
    }
}
