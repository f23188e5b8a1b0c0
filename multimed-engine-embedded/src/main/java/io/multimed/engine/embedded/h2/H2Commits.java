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
 * Counts the commits of an H2 store against those whose write sets were captured, so that no other one stays unnoticed: a
 * trigger that writes by the connection given to {@code init}, another connection to the database, a procedure that commits.
 *
 * <p>H2 raises a version by one when a transaction with changes begins to commit and by one when it has committed. Captured
 * commits are counted before they begin, so a surplus means that there was another one. H2 itself commits too, statistics and
 * the positions of sequences: these commits change the catalog's own table, by which they are told apart.
 *
 * <p>Any thread.
 */
final class H2Commits {
    /** By which the store's version rises with a commit. */
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
    /** The store's version without announced commits when everything that was committed had reached the log. */
    private volatile long settled;

    private volatile boolean suspected;
    /** Whether anything in the database may commit by itself: triggers and routines in Java. */
    private volatile boolean runsCode;
    /** The number of each table's last change that an announced transaction, or one rolled back, has left. */
    private final Map<Table, Long> explained = new ConcurrentHashMap<>();
    /** Transactions that are ending and have not explained yet what they have left. */
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

    /** Commits of this session are announced. */
    void know(SessionLocal session) {
        known.add(session);
    }

    /** As {@link #know}, of all that there are now. */
    void knowAll() {
        Collections.addAll(known, database.getSessions(true));
    }

    /** A transaction whose write set was captured is about to be committed, while no other such transaction commits. */
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

    /** Ends a transaction, and explains which tables it may have changed. */
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

    /** Whether a commit may have been missed. Cheap: while others commit it may be seen a little later. */
    boolean suspicious() {
        return suspected || surplus() > 0;
    }

    /**
     * As {@link #missed}, but one that was missed stays so, for a session that makes up for it. Called while no announced commit is under
     * way.
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

    /** Whether one was missed. Called while no announced commit is under way. */
    synchronized boolean missed() {
        return missed(true);
    }

    private boolean missed(boolean forget) {
        long surplus = surplus();
        if (surplus == 0 || surplus % STEPS != 0) {
            // One that is under way is seen when it is over.
            suspected = surplus != 0;
            return false;
        }
        if (ending.get() > 0) {
            suspected = true;
            return false;
        }
        boolean system = !systemCommand.equals(database.getSystemSession().getCommandStartOrEnd());
        boolean byRows = COUNTS && catalog == catalog();
        boolean found = surplus > 0 && (system || byRows || strangers() || runsCode && unexplained());
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

    /** Sessions that nobody announces anything of: besides that of the system, which the connections of triggers belong to. */
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

    /** Whatever has been committed until now is known to Satellites, or will be. Called while nothing is announced. */
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
