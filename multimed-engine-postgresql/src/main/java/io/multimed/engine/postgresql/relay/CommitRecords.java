package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the records that the relay wants: commits, which are reported when they have come whole, and rows inserted into system catalogs,
 * which {@link CatalogInserts} collects.
 *
 * <p>Relay thread.
 */
final class CommitRecords implements RecordTaker {
    /** The receiver of every commit, in the order of the log. */
    interface Commits {
        /**
         * @param end end of the commit record
         * @param xid the committed transaction, 32 bits
         * @param changed the changed objects in system catalogs, null if there are none
         * @param databaseOid the database in which it ran, 0 if the record does not contain it
         */
        void commit(long end, int xid, @Nullable ChangedObjects changed, int databaseOid);
    }

    private enum Kind {
        COMMIT,
        INSERT,
        OID_COUNTER
    }

    private final Commits commits;
    private final CatalogInserts inserts;
    private final CommitBody body = new CommitBody();
    /** Kind of the present record. */
    private Kind kind = Kind.COMMIT;

    private int xid;

    /** @param inserts collects rows that are inserted into system catalogs */
    CommitRecords(Commits commits, CatalogInserts inserts) {
        this.commits = commits;
        this.inserts = inserts;
    }

    @Override
    public void release(int magic) {
        body.release(magic);
    }

    @Override
    public boolean begin(long start, int transaction, int manager, int info, long length) {
        xid = transaction;
        return switch (manager) {
            case WalFormat.RM_HEAP ->
                (info & WalFormat.HEAP_OPERATION) == WalFormat.HEAP_INSERT && beginInsert(Kind.INSERT);
            case WalFormat.RM_XLOG ->
                (info & WalFormat.MANAGER_INFO) == WalFormat.XLOG_NEXTOID && beginInsert(Kind.OID_COUNTER);
            case WalFormat.RM_XACT -> beginCommit(start, info);
            default -> false;
        };
    }

    private boolean beginInsert(Kind begun) {
        kind = begun;
        inserts.begin();
        return true;
    }

    private boolean beginCommit(long start, int info) {
        int operation = info & WalFormat.XACT_OPERATION;
        if (operation != WalFormat.XACT_COMMIT && operation != WalFormat.XACT_COMMIT_PREPARED) {
            return false;
        }
        kind = Kind.COMMIT;
        body.begin(start, (info & WalFormat.XACT_HAS_INFO) != 0, operation == WalFormat.XACT_COMMIT_PREPARED);
        return true;
    }

    @Override
    public void take(ByteBuffer bytes, int length) {
        if (kind == Kind.COMMIT) {
            body.take(bytes, length);
        } else {
            inserts.take(bytes, length);
        }
    }

    @Override
    public void end(long end) {
        switch (kind) {
            case COMMIT -> {
                body.end();
                int committed = body.preparedXid() != 0 ? body.preparedXid() : xid;
                commits.commit(end, committed, body.changed(), body.databaseOid());
            }
            case INSERT -> inserts.endInsert();
            case OID_COUNTER -> inserts.endCounter();
        }
    }
}
