package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.ProgressRequest;
import io.multimed.engine.postgresql.NodeAddress;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write sets of one database of the Master, for the partial Satellites that carry tables of it. They come and go one by one.
 *
 * <p>PostgreSQL decodes its log, or triggers capture the rows ({@link CaptureKind}). The publication {@code multimed} of the database, or the
 * triggers, concern the tables of all who are here. The slot {@code multimed_OID} or {@code multimed_capture_OID} holds back
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
 * <p>Any thread.
 */
public final class MasterWriteSets implements ProgressRequest, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MasterWriteSets.class);
    private static final String SLOTS = "multimed_[0-9]+";

    private final SlotKeeper keeper;

    /** The place of a Satellite among the write sets' receivers, from before its copy on. */
    public interface Joining extends AutoCloseable {
        /**
         * Begins to receive.
         *
         * @param tables those that the Satellite carries, by the names in the catalog; partitions come under their own names
         * @param seed the position whose commits the Satellite has; not before {@link #prepare} has returned
         * @throws EngineException if the write sets have been lost since then, or the Satellite may have tables that were created
         *     after {@link #prepare}
         */
        Subscription join(Predicate<QualifiedName> tables, long seed) throws EngineException;

        /** Gives the place up, unless it was joined. */
        @Override
        void close();
    }

    /** @param superuser a role that may read the log, and change the publication or make triggers on any table */
    public MasterWriteSets(NodeAddress master, String superuser, String database, CaptureKind capture) {
        this(new MasterDatabase(master, superuser, database), WriteSetLimits.DEFAULT, capture);
    }

    MasterWriteSets(MasterDatabase database, WriteSetLimits limits, CaptureKind capture) {
        keeper = new SlotKeeper(database, limits, capture.of(database));
    }

    /**
     * Has the Master publish tables, and hold back its log from now on, for a Satellite that will be copied. Blocks while
     * transactions go on that have written before, but not for ever.
     *
     * @param tables qualified, as in SQL; those that do not exist are left out
     * @throws EngineException if that is not possible: with the reason, and the transaction that is in the way
     */
    public Joining prepare(List<String> tables) throws EngineException, InterruptedException {
        return keeper.prepare(tables);
    }

    /** Ends a subscription: the Satellite needs nothing any more. */
    public void leave(Subscription subscription) {
        keeper.receivers().leave(subscription);
    }

    /** Has the Master report at once how far it is, for a reader that waits; it does so by itself whenever it has caught up. */
    @Override
    public void requestProgress() {
        keeper.receivers().hurry();
    }

    /** Notes that tables may have been altered: one that has lost its replica identity is found at once, not within a second. */
    public void catalogChanged() {
        keeper.lookNow();
    }

    /** Returns the number of transactions that came in parts on the main lane, for tests. */
    long streamed() {
        return keeper.receivers().streamed();
    }

    /** Ends all subscriptions, and drops the slot and the publication if the Master answers. */
    @Override
    public void close() {
        keeper.close();
    }

    /** Whether an earlier run left logical slots: PostgreSQL does not start with them unless {@code wal_level} is {@code logical}. */
    public static boolean hasLeftSlots(Path dataDirectory) throws IOException {
        return hasSlots(dataDirectory, SLOTS);
    }

    /** Whether an earlier run left the slots of triggers, and so maybe triggers. */
    public static boolean hasLeftTriggers(Path dataDirectory) throws IOException {
        return hasSlots(dataDirectory, CaptureSlots.NAMES);
    }

    private static boolean hasSlots(Path dataDirectory, String pattern) throws IOException {
        try (DirectoryStream<Path> slots = Files.newDirectoryStream(
                dataDirectory.resolve("pg_replslot"),
                directory -> directory.getFileName().toString().matches(pattern))) {
            return slots.iterator().hasNext();
        }
    }

    /**
     * Drops the slots that an earlier run left, which hold log for ever, and the publications and triggers of their databases. Triggers of
     * tables that somebody uses, such as a prepared transaction, are left with a warning, and a slot that holds no log.
     *
     * @param superuser as in the constructor
     */
    public static void dropLeft(NodeAddress master, String superuser) throws SQLException, InterruptedException {
        try (Connection connection = new MasterDatabase(master, superuser, "postgres").connect()) {
            for (String database : LogicalSlot.databases(connection, SLOTS)) {
                try (Connection own = new MasterDatabase(master, superuser, database).connect()) {
                    new PublishedTables(LogCapture.PUBLICATION).drop(own);
                }
            }
            LogicalSlot.dropMatching(connection, SLOTS);
            CaptureSlots.dropOfGone(connection);
            for (Map.Entry<String, String> left :
                    CaptureSlots.databases(connection).entrySet()) {
                CaptureSlots.letGo(connection, left.getKey());
                dropLeftTriggers(new MasterDatabase(master, superuser, left.getValue()));
            }
        }
    }

    private static void dropLeftTriggers(MasterDatabase database) throws InterruptedException {
        try (Connection own = database.connect()) {
            TriggerCapture.dropAll(own);
        } catch (SQLException e) {
            LOG.warn(
                    "Triggers of an earlier run stay in database {} until the next start: {}",
                    database.database(),
                    e.getMessage());
        }
    }

    /** Drops the triggers that a copy of the Master has from it, and would run when write sets are applied there. */
    public static void dropTriggers(Connection copy) throws SQLException {
        TriggerCapture.dropObjects(copy);
    }
}
