package io.multimed.endpoint.pg.session;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The prepared statements of one loop, shared by text. Holds them weakly: a statement lives as long as a session or a
 * backend knows it.
 */
final class StatementRegistry {
    /** What Multimed's names of prepared statements begin with. */
    static final String PREFIX = "multimed_";

    private static final int SWEEP_EVERY = 1024;

    /** @param catalogVersion tells apart statements prepared before and after a change of the schema */
    private record Key(byte[] sql, byte[] types, String database, long catalogVersion) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key(var otherSql, var otherTypes, var otherDatabase, var otherVersion)
                    && catalogVersion == otherVersion
                    && database.equals(otherDatabase)
                    && Arrays.equals(sql, otherSql)
                    && Arrays.equals(types, otherTypes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(sql) * 31 + Arrays.hashCode(types) + Long.hashCode(catalogVersion);
        }
    }

    private final Map<Key, WeakReference<PreparedStatement>> statements = new HashMap<>();
    private long lastName;
    private int untilSweep = SWEEP_EVERY;

    PreparedStatement intern(byte[] sql, byte[] types, String database, long catalogVersion) {
        Key key = new Key(sql, types, database, catalogVersion);
        WeakReference<PreparedStatement> known = statements.get(key);
        PreparedStatement statement = known == null ? null : known.get();
        if (statement == null) {
            statement = new PreparedStatement(PREFIX + ++lastName, sql, types);
            statements.put(key, new WeakReference<>(statement));
            sweepNowAndThen();
        }
        return statement;
    }

    private void sweepNowAndThen() {
        if (--untilSweep > 0) {
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
    }
}
