package io.multimed.endpoint.pg.session.loop;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one loop, shared by text and what it means. Holds them weakly: a statement lives as long as a session or a
 * backend knows it.
 */
public final class StatementRegistry {
    /** What Multimed's names of prepared statements begin with. */
    public static final String PREFIX = "multimed_";

    private static final int SWEEP_EVERY = 1024;
    private static final long SWEEP_EVERY_BYTES = 4 << 20;

    /**
     * Equal for statements that an engine analyses to the same thing.
     *
     * @param kind of the sessions that prepare it: one database, and one user with the same settings to begin with
     * @param fixedTypes types that its parameters have whatever an engine would make of the text; empty if there are none
     * @param names how an engine resolves its names
     * @param literals how an engine reads its literals
     * @param schemaVersion of the database
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

    /** @param mostBytes what statements of all sessions may take */
    StatementRegistry(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Whether so much more can be kept. */
    public boolean hasRoom(long more) {
        return bytes + more <= mostBytes;
    }

    /**
     * A session keeps the statement, and a name for it.
     *
     * @return false if there is no room; then it must not
     */
    public boolean keep(PreparedStatement statement, String name) {
        long more = name.length() + (statement.users == 0 ? statement.size() : 0);
        if (!hasRoom(more)) {
            return false;
        }
        bytes += more;
        statement.users++;
        return true;
    }

    /** A session no longer keeps it. */
    public void letGo(PreparedStatement statement, String name) {
        statement.users--;
        bytes -= name.length() + (statement.users == 0 ? statement.size() : 0);
    }

    /**
     * The statement of this text, which all share for whom an engine analyses it to the same thing.
     *
     * @param kind of the session that prepares it; equal for sessions of one database, and one user with the same settings to
     *     begin with
     * @param types count and type OIDs of the parameters, as a client sends them
     * @param fixedTypes likewise types that the parameters have whatever an engine would make of the text; null if there are none
     * @param names how an engine resolves its names now
     * @param literals how an engine reads its literals now
     * @param schemaVersion of the database now
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
