package io.multimed.endpoint.pg.session.loop;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

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
     * @param searchPath of the session that prepares: the same words mean other tables to another; empty if it set none
     * @param literals likewise: the same literals mean other values
     * @param catalogVersion tells apart statements prepared before and after a change of the schema
     */
    private record Key(
            byte[] sql,
            byte[] types,
            String database,
            String searchPath,
            LiteralSettings literals,
            long catalogVersion) {
        @Override
        public boolean equals(Object other) {
            return other
                            instanceof
                            Key(
                                    var otherSql,
                                    var otherTypes,
                                    var otherDatabase,
                                    var otherPath,
                                    var otherLiterals,
                                    var otherVersion)
                    && catalogVersion == otherVersion
                    && literals.equals(otherLiterals)
                    && database.equals(otherDatabase)
                    && searchPath.equals(otherPath)
                    && Arrays.equals(sql, otherSql)
                    && Arrays.equals(types, otherTypes);
        }

        @Override
        public int hashCode() {
            return (Arrays.hashCode(sql) * 31 + Arrays.hashCode(types)) * 31
                    + literals.hashCode()
                    + Long.hashCode(catalogVersion);
        }
    }

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
     * The statement of this text and meaning, which all who prepare it share.
     *
     * @param types count and type OIDs of the parameters, as a client sends them
     * @param searchPath of the session that prepares; empty if it set none
     * @param literals by which it is read
     * @param catalogVersion when it is prepared
     */
    public PreparedStatement intern(
            byte[] sql,
            byte[] types,
            String database,
            String searchPath,
            LiteralSettings literals,
            long catalogVersion) {
        Key key = new Key(sql, types, database, searchPath, literals, catalogVersion);
        WeakReference<PreparedStatement> known = statements.get(key);
        PreparedStatement statement = known == null ? null : known.get();
        if (statement == null) {
            statement = new PreparedStatement(PREFIX + ++lastName, sql, types, catalogVersion, literals, key);
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
