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

/**
 * Access to private fields of HSQLDB. The handles are constants of this class, so that the JVM compiles them to direct field
 * accesses.
 */
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

    /**
     * Checks that the fields exist.
     *
     * @throws SQLFeatureNotSupportedException if changes of this version of HSQLDB cannot be captured
     */
    static void check() throws SQLFeatureNotSupportedException {
        if (MISSING != null) {
            throw new SQLFeatureNotSupportedException(
                    "Replicas need HSQLDB 2.7 on the class path, or opened to io.multimed: " + MISSING, "0A000");
        }
    }

    /**
     * Returns the net effect of the session's open transaction on a row. An action of the chain counts if it is the session's, not
     * yet committed and not rolled back.
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

    /** Makes drawing from the sequence fail from now on. */
    static void exhaust(NumberSequence sequence) {
        synchronized (sequence) {
            LIMIT_REACHED.set(sequence, true);
        }
    }

    /** Sets the sequence to the position of the other one. */
    static void resume(NumberSequence sequence, NumberSequence at) {
        long value = at.peek();
        boolean limit = (boolean) LIMIT_REACHED.get(at);
        synchronized (sequence) {
            CURRENT_VALUE.set(sequence, value);
            LIMIT_REACHED.set(sequence, limit);
        }
    }

    /**
     * Whether the database is open as it was. If a connection is made to a database that is ending, HSQLDB opens it again, empty,
     * as the same object; only its parts are new.
     *
     * @param schemas the schema manager that it had when it was opened
     */
    static boolean online(Database database, SchemaManager schemas) {
        return (int) STATE.getVolatile(database) == Database.DATABASE_ONLINE && database.schemaManager == schemas;
    }

    /** A read of a database's internals. */
    @FunctionalInterface
    interface Look<T> {
        T run() throws SQLException;
    }

    /**
     * Reads a database's internals below its sessions. A database that ends meanwhile releases its parts, so the read may find
     * some of them missing.
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

    /**
     * Commits the session's transaction.
     *
     * @throws SQLException if the engine has closed the session, or does not commit
     */
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
     * Checks that the session is open. Call it under the session's monitor, which HSQLDB takes to close it: a closed session
     * silently commits nothing.
     *
     * @throws SQLException if the engine has closed it
     */
    static void checkOpen(Session session) throws SQLException {
        if (session.isClosed()) {
            throw new SQLException("the engine has ended the session", "08003");
        }
    }
}
