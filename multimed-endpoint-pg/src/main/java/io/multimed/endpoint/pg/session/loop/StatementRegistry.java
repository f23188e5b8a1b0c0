package io.multimed.endpoint.pg.session.loop;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one loop, shared by text and meaning. The registry holds them weakly: a statement lives as long as a
 * session or a backend refers to it.
 */
public final class StatementRegistry {
    /** The prefix of Multimed's names of prepared statements. */
    public static final String PREFIX = "multimed_";

    /** Bytes of the objects of a statement besides its text, a little more than the heap of JDK 25 needs. */
    private static final long OF_A_STATEMENT = 600;
    /** Bytes of a session's entry. */
    private static final long OF_A_NAME = 64;
    /** Bytes of a name other than the first name of the statement, besides its characters. */
    private static final long OF_ANOTHER_NAME = 56;
    /** Divisor of the additional room for unnamed statements, of which every client needs one: one part in this many. */
    private static final int SHARE_OF_UNNAMED = 8;

    private static final int SWEEP_EVERY = 1024;
    private static final long SWEEP_EVERY_BYTES = 4 << 20;

    /**
     * Key that is equal for statements whose analysis by an engine has the same result.
     *
     * @param kind the kind of the sessions that prepare it: one database, one user and the same initial settings
     * @param fixedTypes the types of its parameters, whatever an engine would derive from the text; empty if there are none
     * @param names how an engine resolves its names
     * @param literals how an engine reads its literals
     * @param schemaVersion version of the database's schema
     */
    private record Key(
            Object kind,
            byte[] sql,
            byte[] types,
            byte[] fixedTypes,
            Object names,
            LiteralSettings literals,
            long schemaVersion) {
        @Override
        public boolean equals(Object other) {
            return other
                            instanceof
                            Key(
                                    var otherKind,
                                    var otherSql,
                                    var otherTypes,
                                    var otherFixedTypes,
                                    var otherNames,
                                    var otherLiterals,
                                    var otherVersion)
                    && schemaVersion == otherVersion
                    && names.equals(otherNames)
                    && kind.equals(otherKind)
                    && literals.equals(otherLiterals)
                    && Arrays.equals(sql, otherSql)
                    && Arrays.equals(types, otherTypes)
                    && Arrays.equals(fixedTypes, otherFixedTypes);
        }

        @Override
        public int hashCode() {
            int texts = (Arrays.hashCode(sql) * 31 + Arrays.hashCode(types)) * 31 + Arrays.hashCode(fixedTypes);
            return (texts * 31 + names.hashCode()) * 31 + literals.hashCode() + Long.hashCode(schemaVersion);
        }
    }

    private static final byte[] NONE = {};

    private final Map<Key, WeakReference<PreparedStatement>> statements = new HashMap<>();
    private final long mostBytes;
    private long lastName;
    private int untilSweep = SWEEP_EVERY;
    private long bytesUntilSweep = SWEEP_EVERY_BYTES;
    private long bytes;

    /**
     * Creates the registry.
     *
     * @param mostBytes the most bytes that the statements of all sessions of the loop may take
     */
    StatementRegistry(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Whether there is room for this many more statements.
     *
     * @param length total length of the messages that prepare them
     */
    public boolean hasRoom(int more, long length) {
        return bytes + length + more * (OF_A_STATEMENT + OF_A_NAME + OF_ANOTHER_NAME) <= mostBytes;
    }

    /**
     * Records that a session keeps the statement under a name.
     *
     * @return false if there is no room; then the session must not keep it
     */
    public boolean keep(PreparedStatement statement, String name) {
        boolean first = statement.users == 0;
        long more = first ? OF_A_STATEMENT + statement.size() + name.length() + OF_A_NAME : ofName(statement, name);
        if (bytes + more > mostBytes + (name.isEmpty() ? mostBytes / SHARE_OF_UNNAMED : 0)) {
            return false;
        }
        if (first) {
            statement.firstName = name;
        }
        bytes += more;
        statement.users++;
        return true;
    }

    /** Records that a session no longer keeps the statement. */
    public void letGo(PreparedStatement statement, String name) {
        bytes -= ofName(statement, name);
        statement.users--;
        if (statement.users == 0) {
            bytes -= OF_A_STATEMENT + statement.size() + statement.firstName.length();
        }
    }

    /** Bytes of the name under which a session keeps the statement. */
    private static long ofName(PreparedStatement statement, String name) {
        return OF_A_NAME + (name.equals(statement.firstName) ? 0 : OF_ANOTHER_NAME + name.length());
    }

    /** Returns the name, as one object shared by all sessions that use it for the statement, as far as possible. */
    public String sharedName(PreparedStatement statement, String name) {
        return name.equals(statement.firstName) ? statement.firstName : name;
    }

    /**
     * Returns the statement of this text. It is shared by all sessions for which an engine's analysis of the text has the same
     * result.
     *
     * @param kind the kind of the session that prepares it; equal for sessions of one database and one user with the same initial
     *     settings
     * @param types count and type OIDs of the parameters, as a client sends them
     * @param fixedTypes count and type OIDs that override the types an engine would derive from the text; null if there are none
     * @param names how an engine resolves its names now
     * @param literals how an engine reads its literals now
     * @param schemaVersion present version of the database's schema
     */
    public PreparedStatement intern(
            Object kind,
            byte[] sql,
            byte[] types,
            byte @Nullable [] fixedTypes,
            Object names,
            LiteralSettings literals,
            long schemaVersion) {
        Key key = new Key(kind, sql, types, fixedTypes == null ? NONE : fixedTypes, names, literals, schemaVersion);
        WeakReference<PreparedStatement> known = statements.get(key);
        PreparedStatement statement = known == null ? null : known.get();
        if (statement == null) {
            statement = new PreparedStatement(
                    PREFIX + ++lastName, sql, types, fixedTypes, schemaVersion, names, literals, key);
            statements.put(key, new WeakReference<>(statement));
            sweepNowAndThen(statement.size());
        }
        return statement;
    }

    private void sweepNowAndThen(int added) {
        bytesUntilSweep -= added;
        if (--untilSweep > 0 && bytesUntilSweep > 0) {
            return;
        }
        Iterator<WeakReference<PreparedStatement>> references =
                statements.values().iterator();
        while (references.hasNext()) {
            if (references.next().get() == null) {
                references.remove();
            }
        }
        untilSweep = Math.max(SWEEP_EVERY, statements.size());
        bytesUntilSweep = SWEEP_EVERY_BYTES;
    }
}
