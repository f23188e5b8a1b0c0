package io.multimed.engine.embedded.h2;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.mvstore.db.MVTable;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.schema.Schema;
import org.h2.table.Table;
import org.h2.value.ValueTimestampTimeZone;

/**
 * Compares the number of commits of an H2 store with the number of commits whose write sets were captured. So no other commit
 * stays unnoticed: one by a trigger that writes through the connection given to {@code init}, by another connection to the
 * database, or by a procedure that commits.
 *
 * <p>H2 raises a version by one when a transaction with changes begins to commit and by one when it has committed. Captured
 * commits are counted before they begin, so a surplus means that there was another commit. H2 itself also commits statistics and
 * the positions of sequences. These commits are recognised by their changes to the catalog's own table.
 *
 * <p>Any thread.
 */
final class H2Commits {
    /** Number of steps by which a commit raises the store's version. */
    private static final int STEPS = 2;

    private static final VarHandle COMMITTING;
    private static final VarHandle META;
    private static final MethodHandle VERSION;
    private static final boolean COUNTS;

    static {
        VarHandle[] fields = new VarHandle[2];
        MethodHandle[] version = new MethodHandle[1];
        boolean counts = false;
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodHandles.Lookup store = MethodHandles.privateLookupIn(TransactionStore.class, lookup);
            fields[0] = store.findVarHandle(TransactionStore.class, "committingTransactions", AtomicReference.class);
            fields[1] = MethodHandles.privateLookupIn(Database.class, lookup)
                    .findVarHandle(Database.class, "meta", Table.class);
            Class<?> bits = store.findClass("org.h2.mvstore.tx.VersionedBitSet");
            version[0] = store.findVirtual(bits, "getVersion", MethodType.methodType(long.class))
                    .asType(MethodType.methodType(long.class, Object.class));
            counts = true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            System.getLogger("io.multimed.engine.embedded")
                    .log(
                            System.Logger.Level.WARNING,
                            "This H2 does not tell how much has been committed: changes by connections that bypass"
                                    + " Multimed, those of triggers included, do not reach the replicas. ("
                                    + e.getMessage() + ")");
        }
        COMMITTING = fields[0];
        META = fields[1];
        VERSION = version[0];
        COUNTS = counts;
    }

    private final Database database;
    private final AtomicReference<?> committing;
    /** Sessions whose commits are announced. */
    private final Set<SessionLocal> known = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final AtomicLong announced = new AtomicLong();
    /** The store's version minus the announced steps, at the last moment when the log was known to contain every commit. */
    private volatile long settled;

    private volatile boolean suspected;
    /** Whether anything in the database may commit by itself: triggers and routines in Java. */
    private volatile boolean runsCode;
    /** Number of the last change of each table that is explained by an announced or rolled-back transaction. */
    private final Map<Table, Long> explained = new ConcurrentHashMap<>();
    /** Number of transactions that are ending and have not updated {@link #explained} yet. */
    private final AtomicInteger ending = new AtomicInteger();

    private volatile long catalog;
    private volatile ValueTimestampTimeZone systemCommand;

    H2Commits(Database database) {
        this.database = database;
        this.committing = COUNTS
                ? (AtomicReference<?>) COMMITTING.get(database.getStore().getTransactionStore())
                : new AtomicReference<>();
        this.systemCommand = database.getSystemSession().getCommandStartOrEnd();
        settle();
    }

    /** Registers a session whose commits are announced. */
    void know(SessionLocal session) {
        known.add(session);
    }

    /** Registers all present sessions as {@link #know} does. */
    void knowAll() {
        Collections.addAll(known, database.getSessions(true));
    }

    /** Announces the commit of a transaction whose write set was captured. No other such transaction commits meanwhile. */
    void announce() {
        if (surplus() != 0) {
            suspected = true;
        }
        announced.addAndGet(STEPS);
    }

    /** Ends a transaction. */
    @FunctionalInterface
    interface End {
        void run() throws SQLException;
    }

    /** Ends a transaction, and records the changes of the tables that it had locked as explained. */
    void end(SessionLocal session, End inEngine) throws SQLException {
        if (!runsCode) {
            inEngine.run();
            return;
        }
        Set<Table> locked = session.getLocks();
        ending.incrementAndGet();
        try {
            inEngine.run();
        } finally {
            for (Table table : locked) {
                explained.put(table, table.getMaxDataModificationId());
            }
            ending.decrementAndGet();
        }
    }

    private long version() {
        if (!COUNTS) {
            return announced.get();
        }
        try {
            return (long) VERSION.invokeExact((Object) committing.get());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private long surplus() {
        return version() - announced.get() - settled;
    }

    /** Whether a commit may have been missed. Cheap. During another commit, the answer may come a little later. */
    boolean suspicious() {
        return suspected || surplus() > 0;
    }

    /**
     * Whether a commit was missed, as {@link #missed} tells, but remembers a missed commit until a session makes up for it. Called
     * while no announced commit is under way.
     */
    synchronized boolean unsettled() {
        if (!suspicious()) {
            return false;
        }
        if (missed(false)) {
            suspected = true;
        }
        return suspected;
    }

    /** Whether a commit was missed since the last call. Called while no announced commit is under way. */
    synchronized boolean missed() {
        return missed(true);
    }

    private boolean missed(boolean forget) {
        long surplus = surplus();
        if (surplus == 0 || surplus % STEPS != 0) {
            // A commit that is under way is checked when it is over.
            suspected = surplus != 0;
            return false;
        }
        if (ending.get() > 0) {
            suspected = true;
            return false;
        }
        boolean system = !systemCommand.equals(database.getSystemSession().getCommandStartOrEnd());
        boolean byRows = COUNTS && catalog == catalog();
        boolean found = surplus > 0 && (system || byRows || strangers() || (runsCode && unexplained()));
        if (forget || !found) {
            settle();
        }
        return found;
    }

    /** Whether a table was changed by no transaction that is open or has been announced. */
    private boolean unexplained() {
        Set<Table> open = Collections.newSetFromMap(new IdentityHashMap<>());
        for (SessionLocal session : database.getSessions(false)) {
            open.addAll(session.getLocks());
        }
        for (MVTable table : H2Catalog.tables(database)) {
            Long last = explained.get(table);
            if (!open.contains(table) && last != null && last != table.getMaxDataModificationId()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether there are sessions whose commits are not announced. The system's session does not count; the connections of triggers
     * belong to it.
     */
    private boolean strangers() {
        for (SessionLocal session : database.getSessions(false)) {
            if (!known.contains(session)) {
                return true;
            }
        }
        return false;
    }

    private long catalog() {
        return ((Table) META.get(database)).getMaxDataModificationId();
    }

    /**
     * Takes the present state as the new base line: Satellites know all commits so far, or will. Called while no announced commit
     * is under way.
     */
    final synchronized void settle() {
        settled = version() - announced.get();
        suspected = false;
        catalog = COUNTS ? catalog() : 0;
        systemCommand = database.getSystemSession().getCommandStartOrEnd();
        explained.clear();
        runsCode = runsCode();
        if (runsCode) {
            for (MVTable table : H2Catalog.tables(database)) {
                explained.put(table, table.getMaxDataModificationId());
            }
        }
    }

    private boolean runsCode() {
        for (Schema schema : database.getAllSchemasNoMeta()) {
            if (!schema.getAllTriggers().isEmpty()
                    || !schema.getAllFunctionsAndAggregates().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
