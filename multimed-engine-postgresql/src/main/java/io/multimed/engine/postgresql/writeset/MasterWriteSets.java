package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.ProgressRequest;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write sets of one database of the Master, for the partial Satellites that carry tables of it. They come and go one by one.
 *
 * <p>The publication {@code multimed} of the database names the tables of all who are here. The slot {@code multimed_OID} holds back
 * the Master's log for the slowest of them; it exists from the first {@link #prepare} until nobody is left.
 *
 * <p>All share one decoding of the slot, the main {@link Lane}. A newcomer begins with a lane of its own, over a temporary copy of
 * the slot, and changes to the main one when it has caught up. A subscription whose applier cannot keep up gets such a lane again. So
 * neither holds the others up by a moment, and the Master's log, not memory, is what queues for it. One shared lane that begins anew
 * for each newcomer would have everybody wait while it decodes what was written during a copy.
 *
 * <p>If the connection is lost, the lanes go on where they were as soon as the Master is back. If the Master refuses for good, all
 * subscriptions end, with the cause, and the next {@link #prepare} begins anew.
 *
 * <p>Any thread. A thread of its own, {@code multimed-writesets-keeper}, looks after the Master's objects: it takes tables out of the
 * publication that nobody needs, or that have lost their replica identity, since the Master refuses to change their rows otherwise.
 */
public final class MasterWriteSets implements ProgressRequest, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MasterWriteSets.class);

    static final String PUBLICATION = "multimed";
    private static final String SLOTS = "multimed_[0-9]+";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The number of copies of slots: no name comes twice. */
    private static final AtomicLong COPIES = new AtomicLong();

    private final MasterDatabase database;
    private final Duration patience;
    private final long openBytes;
    private final long queueBytes;
    private final PublishedTables publication = new PublishedTables(PUBLICATION);

    /** Guards the objects on the Master; held while it answers. Taken before {@link #lock}. */
    private final ReentrantLock administration = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition keeperWoken = lock.newCondition();

    /** Guarded by {@link #lock}, as all that follows. */
    private final List<Member> members = new ArrayList<>();

    private final Map<Subscription, Lane> ownLanes = new HashMap<>();
    /** The slot, from its creation on until it is dropped or known to be gone. */
    private @Nullable LogicalSlot slot;
    /** Whether there may be a slot or a publication to drop. */
    private boolean leftovers;

    /** Written under the lock. */
    private volatile @Nullable Lane main;
    /** The greatest position that the Master was ever told it need not give again. */
    private long confirmed;

    private int newcomers;
    private boolean looksNow;
    private boolean closed;
    private @Nullable Thread keeper;

    /** The place of a Satellite among the write sets' receivers, from before its copy on. */
    public interface Joining extends AutoCloseable {
        /**
         * Begins to receive.
         *
         * @param tables those that the Satellite carries, by the names in the catalog; partitions come under their own names
         * @param seed the position whose commits the Satellite has; not before {@link #prepare} has returned
         * @throws EngineException if the write sets have been lost since then
         */
        Subscription join(Predicate<QualifiedName> tables, long seed) throws EngineException;

        /** Gives the place up, unless it was joined. */
        @Override
        void close();
    }

    /** A Satellite that receives, or is being copied. Guarded by {@link #lock}. */
    private final class Member implements Joining {
        final Set<String> names;
        long hold;

        @Nullable
        Subscription subscription;

        @Nullable
        Throwable failure;

        Member(List<String> names, long hold) {
            this.names = new TreeSet<>(names);
            this.hold = hold;
        }

        @Override
        public Subscription join(Predicate<QualifiedName> tables, long seed) throws EngineException {
            return MasterWriteSets.this.join(this, tables, seed);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (subscription == null && members.remove(this)) {
                    failure = new CancellationException("closed");
                    lookNow();
                }
            } finally {
                lock.unlock();
            }
        }

        boolean lives() {
            Subscription joined = subscription;
            return failure == null && (joined == null || joined.ended() == null);
        }

        /** Returns the position behind which it needs every commit. */
        long needs() {
            Subscription joined = subscription;
            return joined == null ? hold : joined.done();
        }

        void fail(Throwable cause) {
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

    /** @param superuser a role that may decode the log and change the publication */
    public MasterWriteSets(NodeAddress master, String superuser, String database) {
        this(
                new MasterDatabase(master, superuser, database),
                PATIENCE,
                LogicalStream.DEFAULT_OPEN_BYTES,
                Subscription.FULL_BYTES);
    }

    /**
     * @param patience the time that transactions have to end which a newcomer must wait for
     * @param openBytes bound of a lane's memory of transactions that have not ended
     * @param queueBytes memory at which the queue of a subscription is full
     */
    MasterWriteSets(MasterDatabase database, Duration patience, long openBytes, long queueBytes) {
        this.database = database;
        this.patience = patience;
        this.openBytes = openBytes;
        this.queueBytes = queueBytes;
    }

    /**
     * Has the Master publish tables, and hold back its log from now on, for a Satellite that will be copied. Blocks while
     * transactions go on that have written before, but not for ever.
     *
     * @param tables qualified, as in SQL; those that do not exist are left out
     * @throws EngineException if that is not possible: with the reason, and the transaction that is in the way
     */
    public Joining prepare(List<String> tables) throws EngineException, InterruptedException {
        Member member = null;
        boolean prepared = false;
        try (Connection master = database.connect()) {
            administration.lockInterruptibly();
            try {
                member = announce(tables);
                begin(master, member);
            } finally {
                administration.unlock();
            }
            publication.awaitWriters(master, tables, patience);
            long position = position(master);
            lock.lock();
            try {
                requireAlive(member);
                member.hold = Math.max(member.hold, position);
            } finally {
                lock.unlock();
            }
            prepared = true;
            return member;
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot prepare the write sets of " + String.join(", ", tables) + ": " + e.getMessage() + ".", e);
        } finally {
            if (!prepared && member != null) {
                member.close();
            }
        }
    }

    /** Enters a member, and so holds the confirmed position where it is. */
    private Member announce(List<String> tables) throws EngineException {
        lock.lock();
        try {
            if (closed) {
                throw new EngineException("The write sets are closed.");
            }
            Member member = new Member(tables, confirmed);
            members.add(member);
            leftovers = true;
            keeperWoken.signalAll();
            if (keeper == null) {
                Thread started = Thread.ofPlatform()
                        .daemon()
                        .name("multimed-writesets-keeper")
                        .unstarted(this::keep);
                keeper = started;
                started.start();
            }
            return member;
        } finally {
            lock.unlock();
        }
    }

    private void begin(Connection master, Member member) throws SQLException, EngineException, InterruptedException {
        // Once the slot is there, the publication must have been, or its changes up to then could not be decoded.
        publication.add(master, member.names);
        lock.lock();
        try {
            if (slot != null) {
                return;
            }
        } finally {
            lock.unlock();
        }
        LogicalSlot fresh = new LogicalSlot("multimed_" + databaseOid(master), PUBLICATION);
        fresh.drop(master);
        long from = fresh.create(database, patience);
        publication.settle();
        lock.lock();
        try {
            slot = fresh;
            confirmed = from;
            member.hold = from;
        } finally {
            lock.unlock();
        }
    }

    private static long databaseOid(Connection master) throws SQLException {
        return number(master, "SELECT oid FROM pg_database WHERE datname = current_database()");
    }

    /** Returns a position behind which all later commits are. */
    private static long position(Connection master) throws SQLException {
        return number(master, "SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint");
    }

    private static long number(Connection master, String query) throws SQLException {
        try (Statement statement = master.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void requireAlive(Member member) throws EngineException {
        Throwable failure = member.failure;
        if (failure != null) {
            throw new EngineException("The write sets have been lost: " + failure.getMessage() + ".", failure);
        }
    }

    private Subscription join(Member member, Predicate<QualifiedName> tables, long seed) throws EngineException {
        lock.lock();
        try {
            requireAlive(member);
            if (member.subscription != null) {
                throw new IllegalStateException("joined twice");
            }
            if (seed < member.hold) {
                throw new IllegalArgumentException("the copy was begun before the write sets were held for it");
            }
            Subscription subscription = new Subscription(tables, seed, queueBytes);
            member.subscription = subscription;
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

    /** Ends a subscription: the Satellite needs nothing any more. */
    public void leave(Subscription subscription) {
        subscription.end(new CancellationException("left"));
        lock.lock();
        try {
            members.removeIf(member -> member.subscription == subscription);
            leaveLanes(subscription);
            lookNow();
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

    /** Has the Master report at once how far it is, for a reader that waits; it does so by itself whenever it has caught up. */
    @Override
    public void requestProgress() {
        Lane running = main;
        if (running != null) {
            running.hurry();
        }
    }

    /** Notes that tables may have been altered: one that has lost its replica identity is found at once, not within a second. */
    public void catalogChanged() {
        lock.lock();
        try {
            lookNow();
        } finally {
            lock.unlock();
        }
    }

    private void lookNow() {
        looksNow = true;
        keeperWoken.signalAll();
    }

    private void failAll(Throwable cause) {
        for (Member member : members) {
            member.fail(cause);
        }
    }

    /** The way of the lane that all share. */
    private final class MainCourse implements Lane.Course {
        @Override
        public LogicalStream begin(long from) throws IOException, MasterRefusedException {
            LogicalSlot shared = slot();
            LogicalStream stream = LogicalStream.open(database, openBytes);
            try {
                stream.start(shared, from);
                return stream;
            } catch (IOException | MasterRefusedException | RuntimeException e) {
                stream.close();
                if (e instanceof MasterRefusedException refused && LogicalSlot.IN_USE.equals(refused.sqlState())) {
                    release(shared);
                }
                throw e;
            }
        }

        private void release(LogicalSlot shared) {
            try (Connection master = database.connect()) {
                shared.release(master);
            } catch (SQLException e) {
                LOG.debug("Releasing the slot: {}", e.getMessage());
            }
        }

        @Override
        public long confirmed(long received) {
            lock.lock();
            try {
                long least = received;
                for (Member member : members) {
                    if (member.lives()) {
                        least = Math.min(least, member.needs());
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
                slot = null;
                main = null;
                failAll(cause);
                lookNow();
            } finally {
                lock.unlock();
            }
        }
    }

    private LogicalSlot slot() throws MasterRefusedException {
        lock.lock();
        try {
            LogicalSlot shared = slot;
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
        public LogicalStream begin(long from) throws IOException, MasterRefusedException {
            LogicalSlot shared = slot();
            // The copy of a connection that was lost may still be there.
            LogicalSlot copy = new LogicalSlot(shared.slot() + "_" + COPIES.incrementAndGet(), PUBLICATION);
            LogicalStream stream = LogicalStream.open(database, openBytes);
            try {
                stream.copySlot(shared.slot(), copy.slot());
                stream.start(copy, from);
                return stream;
            } catch (IOException | MasterRefusedException | RuntimeException e) {
                stream.close();
                throw e;
            }
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
                lookNow();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Looks after the objects on the Master. */
    private void keep() {
        Connection master = null;
        try {
            boolean last = false;
            while (!last) {
                last = awaitLook();
                administration.lock();
                try {
                    if (hasLeftovers()) {
                        master = master == null ? database.connect() : master;
                        look(master);
                    }
                } catch (SQLException e) {
                    LOG.debug("Looking after the publication: {}", e.getMessage());
                    close(master);
                    master = null;
                } finally {
                    administration.unlock();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("The keeper was interrupted");
        } finally {
            close(master);
        }
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.debug("Closing a connection: {}", e.getMessage());
        }
    }

    /** Waits for the next look; returns whether it is the last. */
    private boolean awaitLook() throws InterruptedException {
        lock.lock();
        try {
            long left = LOOK_NANOS;
            while (!looksNow && !closed && left > 0) {
                if (leftovers) {
                    left = keeperWoken.awaitNanos(left);
                } else {
                    keeperWoken.await();
                }
            }
            looksNow = false;
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasLeftovers() {
        lock.lock();
        try {
            return leftovers;
        } finally {
            lock.unlock();
        }
    }

    private void look(Connection master) throws SQLException, InterruptedException {
        Set<String> names = names();
        if (names.isEmpty()) {
            dropAll(master);
            return;
        }
        boolean incomplete = publication.isIncomplete(master);
        Map<String, String> without = PublishedTables.withoutIdentity(master, names);
        lock.lock();
        try {
            if (incomplete) {
                failAll(new EngineException("Somebody has taken tables out of the publication " + PUBLICATION + "."));
            }
            for (Member member : members) {
                for (String name : member.names) {
                    String reason = without.get(name);
                    if (reason != null) {
                        member.fail(new EngineException(reason));
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        names = names();
        if (names.isEmpty()) {
            dropAll(master);
        } else {
            publication.retain(master, names);
        }
    }

    /** Returns the tables of those who live; a member always has some. */
    private Set<String> names() {
        lock.lock();
        try {
            Set<String> names = new TreeSet<>();
            for (Member member : members) {
                if (member.lives()) {
                    names.addAll(member.names);
                }
            }
            return names;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the lanes and drops the slot, which holds log, and the publication, when nobody lives. */
    private void dropAll(Connection master) throws SQLException, InterruptedException {
        List<Lane> lanes;
        lock.lock();
        try {
            lanes = new ArrayList<>(ownLanes.values());
            ownLanes.clear();
            Lane shared = main;
            if (shared != null) {
                lanes.add(shared);
            }
            main = null;
            slot = null;
        } finally {
            lock.unlock();
        }
        lanes.forEach(Lane::close);
        new LogicalSlot("multimed_" + databaseOid(master), PUBLICATION).drop(master);
        publication.drop(master);
        lock.lock();
        try {
            leftovers = false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of transactions that came in parts on the main lane, for tests. */
    long streamed() {
        Lane running = main;
        return running == null ? 0 : running.streamed();
    }

    /** Ends all subscriptions, and drops the slot and the publication if the Master answers. */
    @Override
    public void close() {
        Thread keeping;
        List<Lane> lanes;
        lock.lock();
        try {
            closed = true;
            lanes = new ArrayList<>(ownLanes.values());
            Lane shared = main;
            if (shared != null) {
                lanes.add(shared);
            }
            failAll(new CancellationException("closed"));
            lookNow();
            keeping = keeper;
        } finally {
            lock.unlock();
        }
        lanes.forEach(Lane::close);
        try {
            if (keeping != null) {
                keeping.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether an earlier run left slots: PostgreSQL does not start with them unless {@code wal_level} is {@code logical}. */
    public static boolean hasLeftSlots(Path dataDirectory) throws IOException {
        try (DirectoryStream<Path> slots = Files.newDirectoryStream(
                dataDirectory.resolve("pg_replslot"),
                directory -> directory.getFileName().toString().matches(SLOTS))) {
            return slots.iterator().hasNext();
        }
    }

    /**
     * Drops the slots that an earlier run left, which hold log for ever, and the publications of their databases.
     *
     * @param superuser as in the constructor
     */
    public static void dropLeft(NodeAddress master, String superuser) throws SQLException, InterruptedException {
        try (Connection connection = new MasterDatabase(master, superuser, "postgres").connect()) {
            for (String database : LogicalSlot.databases(connection, SLOTS)) {
                try (Connection own = new MasterDatabase(master, superuser, database).connect()) {
                    new PublishedTables(PUBLICATION).drop(own);
                }
            }
            dropLeftSlots(connection);
        }
    }

    /** Drops the slots that an earlier run left, of all databases. */
    public static void dropLeftSlots(Connection master) throws SQLException, InterruptedException {
        LogicalSlot.dropMatching(master, SLOTS);
    }
}
