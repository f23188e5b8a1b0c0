package io.multimed.jdbc.sql;

import io.multimed.jdbc.engine.SqlRules;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What texts are, kept by text: sets of four, the newest taking the place of the oldest. Any thread; a hit takes no lock
 * and allocates nothing. An entry lost to a race is only recognised once more.
 */
public final class SqlTexts {
    private static final int WAYS = 4;
    private static final int SETS = 1024;
    /** Longer texts, such as inserts with a thousand rows, rarely come twice and would hold memory. */
    private static final int MAX_KEPT = 16_384;

    private final Dialect dialect;
    private final Recogniser recogniser;
    private final boolean ownOnly;
    private final AtomicReferenceArray<SqlText> entries = new AtomicReferenceArray<>(SETS * WAYS);

    private SqlTexts(Dialect dialect, Recogniser recogniser, boolean ownOnly) {
        this.dialect = dialect;
        this.recogniser = recogniser;
        this.ownOnly = ownOnly;
    }

    /** Tells everything apart. */
    public static SqlTexts all(Dialect dialect) {
        return new SqlTexts(dialect, new Recogniser(dialect), false);
    }

    /** The same for an engine whose changes are executed again. */
    public static SqlTexts all(SqlRules rules) {
        return new SqlTexts(Dialect.STATEMENTS, new Recogniser(rules), false);
    }

    /** Finds statements that speak to Multimed itself; all others are of kind {@link SqlKind#WRITE}. */
    public static SqlTexts ownOnly(Dialect dialect) {
        return new SqlTexts(dialect, new Recogniser(dialect), true);
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Whether what is in a schema of that name is not the same for all sessions. */
    public boolean refusesSchema(String name) {
        return recogniser.refusesSchema(name);
    }

    /** What this text is; never throws, whatever the text. */
    public SqlText of(String sql) {
        int hash = sql.hashCode();
        int first = ((hash ^ hash >>> 12) & SETS - 1) * WAYS;
        for (int i = first; i < first + WAYS; i++) {
            SqlText known = entries.get(i);
            if (known == null) {
                break;
            }
            if (known.sql().equals(sql)) {
                return known;
            }
        }
        SqlText text = recogniser.recognise(sql);
        if (ownOnly && text.kind() != SqlKind.MULTIMED) {
            text = SqlText.of(sql, SqlKind.WRITE);
        }
        if (sql.length() <= MAX_KEPT) {
            for (int i = first + WAYS - 1; i > first; i--) {
                entries.set(i, entries.get(i - 1));
            }
            entries.set(first, text);
        }
        return text;
    }
}
