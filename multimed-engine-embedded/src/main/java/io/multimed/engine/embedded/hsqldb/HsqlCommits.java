package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.SessionReads;
import io.multimed.engine.embedded.spi.UnannouncedCommits;
import org.hsqldb.Database;
import org.hsqldb.Row;
import org.hsqldb.RowAction;
import org.hsqldb.Session;
import org.hsqldb.Statement;
import org.hsqldb.Table;
import org.hsqldb.TransactionManager;
import org.hsqldb.jdbc.JDBCConnection;
import org.hsqldb.persist.PersistentStore;

/**
 * A layer in front of HSQLDB's own transaction manager that puts commits into the log which no session of the runtime has
 * announced: those of connections that bypass Multimed and of routines that commit. Their write sets are captured here. When a
 * session's statement or transaction is ended by another session, this layer ends what runs on Satellites for it, too.
 *
 * <p>Any thread.
 */
final class HsqlCommits implements TransactionManager {
    private final HsqlMaster master;
    private final Database database;
    private final TransactionManager engines;
    private final UnannouncedCommits log;
    private final SessionReads reads;

    private HsqlCommits(
            HsqlMaster master,
            Database database,
            TransactionManager engines,
            UnannouncedCommits log,
            SessionReads reads) {
        this.master = master;
        this.database = database;
        this.engines = engines;
        this.log = log;
        this.reads = reads;
    }

    /** Makes commits of this database go through this layer. */
    static void install(HsqlMaster master, Database database, UnannouncedCommits log, SessionReads reads) {
        remove(database);
        database.txManager = new HsqlCommits(master, database, database.txManager, log, reads);
    }

    /** Makes commits go to HSQLDB's own transaction manager again. */
    static void remove(Database database) {
        if (database.txManager instanceof HsqlCommits here) {
            database.txManager = here.engines;
        }
    }

    @Override
    public boolean commitTransaction(Session session) {
        if (session.getRowActionList().size() == 0
                || master.isAnnounced(session)
                || HsqlCapture.concernsLobsAlone(session)) {
            return engines.commitTransaction(session);
        }
        return log.commit(
                () -> HsqlCapture.capture(session, master.tables()), () -> engines.commitTransaction(session));
    }

    /** Installs itself again if the mode changes, because HSQLDB makes a new transaction manager for another mode. */
    @Override
    public void setTransactionControl(Session session, int mode) {
        engines.setTransactionControl(session, mode);
        if (database.txManager != this) {
            install(master, database, log, reads);
        }
    }

    @Override
    public long getSystemChangeNumber() {
        return engines.getSystemChangeNumber();
    }

    @Override
    public long getNextSystemChangeNumber() {
        return engines.getNextSystemChangeNumber();
    }

    @Override
    public void setSystemChangeNumber(long ts) {
        engines.setSystemChangeNumber(ts);
    }

    @Override
    public RowAction addDeleteAction(
            Session session, Table table, PersistentStore store, Row row, int[] changedColumns) {
        return engines.addDeleteAction(session, table, store, row, changedColumns);
    }

    @Override
    public void addInsertAction(Session session, Table table, PersistentStore store, Row row, int[] changedColumns) {
        engines.addInsertAction(session, table, store, row, changedColumns);
    }

    @Override
    public void beginAction(Session session, Statement cs) {
        engines.beginAction(session, cs);
    }

    @Override
    public void beginActionResume(Session session) {
        engines.beginActionResume(session);
    }

    @Override
    public void beginTransaction(Session session) {
        engines.beginTransaction(session);
    }

    @Override
    public void completeActions(Session session) {
        engines.completeActions(session);
    }

    @Override
    public int getTransactionControl() {
        return engines.getTransactionControl();
    }

    @Override
    public boolean isMVRows() {
        return engines.isMVRows();
    }

    @Override
    public boolean isMVCC() {
        return engines.isMVCC();
    }

    @Override
    public boolean is2PL() {
        return engines.is2PL();
    }

    @Override
    public boolean prepareCommitActions(Session session) {
        return engines.prepareCommitActions(session);
    }

    @Override
    public void rollback(Session session) {
        engines.rollback(session);
    }

    @Override
    public void rollbackAction(Session session) {
        engines.rollbackAction(session);
    }

    @Override
    public void rollbackSavepoint(Session session, int index) {
        engines.rollbackSavepoint(session, index);
    }

    @Override
    public void rollbackPartial(Session session, int start, long timestamp) {
        engines.rollbackPartial(session, start, timestamp);
    }

    @Override
    public void resetSession(Session session, Session targetSession, long statementTimestamp, int mode) {
        engines.resetSession(session, targetSession, statementTimestamp, mode);
        if (session != targetSession) {
            reads.each((master, satellite) -> {
                if (((HsqlSession) master).session() == targetSession) {
                    HsqlSession.end((JDBCConnection) satellite, mode);
                }
            });
        }
    }
}
