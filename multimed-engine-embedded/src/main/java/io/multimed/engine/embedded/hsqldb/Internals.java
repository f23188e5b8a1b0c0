package io.multimed.engine.embedded.hsqldb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.hsqldb.Database;
import org.hsqldb.HsqlException;
import org.hsqldb.NumberSequence;
import org.hsqldb.RowActionBase;
import org.hsqldb.SchemaManager;
import org.hsqldb.Session;
import org.hsqldb.Table;
import org.jspecify.annotations.Nullable;

/** Fields of HSQLDB that it keeps to itself. Fixed when the class is loaded, so that the JVM reads them as its own. */
final class Internals {
    private static final @Nullable String MISSING;
    private static final VarHandle SESSION;
    private static final VarHandle TYPE;
    private static final VarHandle COMMITTED;
    private static final VarHandle ROLLED_BACK;
    private static final VarHandle NEXT;
    private static final VarHandle CURRENT_VALUE;
    private static final VarHandle LIMIT_REACHED;
    private static final VarHandle IDENTITY;
    private static final VarHandle STATE;

    static {
        String missing = null;
        VarHandle[] found = new VarHandle[9];
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodHandles.Lookup action = MethodHandles.privateLookupIn(RowActionBase.class, lookup);
            found[0] = action.findVarHandle(RowActionBase.class, "session", Session.class);
            found[1] = action.findVarHandle(RowActionBase.class, "type", byte.class);
            found[2] = action.findVarHandle(RowActionBase.class, "commitSCN", long.class);
            found[3] = action.findVarHandle(RowActionBase.class, "rolledback", boolean.class);
            found[4] = action.findVarHandle(RowActionBase.class, "next", RowActionBase.class);
            MethodHandles.Lookup sequence = MethodHandles.privateLookupIn(NumberSequence.class, lookup);
            found[5] = sequence.findVarHandle(NumberSequence.class, "currValue", long.class);
            found[6] = sequence.findVarHandle(NumberSequence.class, "limitReached", boolean.class);
            MethodHandles.Lookup table = MethodHandles.privateLookupIn(Table.class, lookup);
            found[7] = table.findVarHandle(Table.class, "identitySequence", NumberSequence.class);
            MethodHandles.Lookup database = MethodHandles.privateLookupIn(Database.class, lookup);
            found[8] = database.findVarHandle(Database.class, "dbState", int.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            missing = String.valueOf(e.getMessage());
        }
        MISSING = missing;
        SESSION = found[0];
        TYPE = found[1];
        COMMITTED = found[2];
        ROLLED_BACK = found[3];
        NEXT = found[4];
        CURRENT_VALUE = found[5];
        LIMIT_REACHED = found[6];
        IDENTITY = found[7];
        STATE = found[8];
    }

    private Internals() {}

    /** @throws SQLFeatureNotSupportedException if this HSQLDB is not one that can be captured */
    static void check() throws SQLFeatureNotSupportedException {
        if (MISSING != null) {
            throw new SQLFeatureNotSupportedException(
                    "Replicas need HSQLDB 2.7 on the class path, or opened to io.multimed: " + MISSING, "0A000");
        }
    }

    /**
     * What the session's open transaction has done to a row: an action of the chain counts if it is the session's, not yet
     * committed and not rolled back.
     *
     * @return one of {@code RowActionBase.ACTION_*}: none, insert, delete or insert-delete
     */
    static int net(RowActionBase first, Session session) {
        int net = RowActionBase.ACTION_NONE;
        synchronized (first) {
            RowActionBase action = first;
            while (action != null) {
                if (SESSION.get(action) == session
                        && (long) COMMITTED.get(action) == 0
                        && !(boolean) ROLLED_BACK.get(action)) {
                    byte type = (byte) TYPE.get(action);
                    if (type == RowActionBase.ACTION_INSERT) {
                        net = type;
                    } else if (type == RowActionBase.ACTION_DELETE) {
                        net = net == RowActionBase.ACTION_INSERT ? RowActionBase.ACTION_INSERT_DELETE : type;
                    }
                }
                action = (RowActionBase) NEXT.get(action);
            }
        }
        return net;
    }

    static @Nullable NumberSequence identity(Table table) {
        return (NumberSequence) IDENTITY.get(table);
    }

    /** From now on drawing from it fails. */
    static void exhaust(NumberSequence sequence) {
        synchronized (sequence) {
            LIMIT_REACHED.set(sequence, true);
        }
    }

    /** Puts it where the other one stands. */
    static void resume(NumberSequence sequence, NumberSequence at) {
        long value = at.peek();
        boolean limit = (boolean) LIMIT_REACHED.get(at);
        synchronized (sequence) {
            CURRENT_VALUE.set(sequence, value);
            LIMIT_REACHED.set(sequence, limit);
        }
    }

    /**
     * Whether the database is there as it was. One that ends while somebody connects to it is opened again, empty, as the same
     * object; only its parts are others.
     *
     * @param schemas what it had when it was opened
     */
    static boolean online(Database database, SchemaManager schemas) {
        return (int) STATE.getVolatile(database) == Database.DATABASE_ONLINE && database.schemaManager == schemas;
    }

    /** Looks into a database. */
    @FunctionalInterface
    interface Look<T> {
        T run() throws SQLException;
    }

    /**
     * Looks into a database below its sessions. One that ends lets go of its parts meanwhile, so that the look may find some
     * of them missing.
     *
     * @throws SQLException if it has begun to end
     */
    static <T> T whole(Database database, SchemaManager schemas, Look<T> look) throws SQLException {
        T found;
        try {
            found = look.run();
        } catch (RuntimeException e) {
            checkOnline(database, schemas, e);
            throw e;
        }
        checkOnline(database, schemas, null);
        return found;
    }

    private static void checkOnline(Database database, SchemaManager schemas, @Nullable RuntimeException cause)
            throws SQLException {
        if (!online(database, schemas)) {
            throw new SQLException("the engine has ended", "08003", cause);
        }
    }

    /** @throws SQLException if the engine has closed the session, or does not commit */
    static void commit(Session session) throws SQLException {
        synchronized (session) {
            checkOpen(session);
            try {
                session.commit(false);
            } catch (HsqlException e) {
                throw new SQLException(e.getMessage(), e.getSQLState(), e);
            }
        }
    }

    /**
     * To be asked under the session's monitor, which HSQLDB takes to close it: a closed session commits nothing and says
     * nothing.
     *
     * @throws SQLException if the engine has closed it
     */
    static void checkOpen(Session session) throws SQLException {
        if (session.isClosed()) {
            throw new SQLException("the engine has ended the session", "08003");
        }
    }
}
