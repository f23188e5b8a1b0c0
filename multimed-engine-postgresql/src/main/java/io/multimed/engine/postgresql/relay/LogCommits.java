package io.multimed.engine.postgresql.relay;

import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.catalog.ChangedObjects;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The commits in the received log. Each is reported to {@link MasterLog} when it is found; changes of catalogs are kept until they
 * may be announced.
 *
 * <p>Relay thread.
 */
final class LogCommits implements CommitRecords.Commits {
    private final MasterLog masterLog;
    private final RelayListener listener;
    private final CatalogInserts inserts = new CatalogInserts();
    private final ArrayDeque<CatalogChange> catalogChanges = new ArrayDeque<>();
    private @Nullable RecordScanner scanner;
    private XidEpoch xids = new XidEpoch(0);

    LogCommits(MasterLog masterLog, RelayListener listener) {
        this.masterLog = masterLog;
        this.listener = listener;
    }

    /**
     * Begins to search the log.
     *
     * @param nextXid a 64-bit transaction number from about that time
     * @param start the beginning of a segment
     */
    void enter(MasterIdentity master, long nextXid, long start) {
        xids = new XidEpoch(nextXid);
        scanner = new RecordScanner(master.segmentSize(), master.pageSize(), start, new CommitRecords(this, inserts));
    }

    /** Whether the log has been entered. */
    boolean entered() {
        return scanner != null;
    }

    /** Searches the next bytes of the log. */
    void scan(ByteBuffer bytes) {
        scanner().scan(bytes);
    }

    /** Notes the transaction numbers of the bytes searched so far, and returns the end of the last whole record. */
    long safeEnd() {
        xids.seen(scanner().newestXid());
        return scanner().safeEnd();
    }

    private RecordScanner scanner() {
        RecordScanner present = scanner;
        if (present == null) {
            throw new IllegalStateException("log before the start of replication");
        }
        return present;
    }

    @Override
    public void commit(long end, int xid, @Nullable ChangedObjects changed, int databaseOid) {
        long transaction = xids.widen(xid);
        masterLog.commit(end, transaction);
        if (changed != null) {
            catalogChanges.add(new CatalogChange(databaseOid, end, transaction, changed, inserts.taken()));
        }
    }

    void announceCatalogChanges() {
        for (CatalogChange change = catalogChanges.poll(); change != null; change = catalogChanges.poll()) {
            listener.catalogChanged(change);
        }
    }

    /** Returns the newest transaction number seen in the log, 64 bits. */
    long newestXid() {
        return xids.newest();
    }
}
