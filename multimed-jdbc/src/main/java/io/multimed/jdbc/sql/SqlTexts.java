package io.multimed.jdbc.sql;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Cache of recognised texts, in sets of four entries. The newest entry of a set replaces the oldest. Any thread; a hit takes no
 * lock and allocates nothing. An entry lost to a race is simply recognised again.
 */
public final class SqlTexts {
    private static final int WAYS = 4;
    private static final int SETS = 1024;
    /**
     * Longest text that is kept. Longer ones, such as inserts with a thousand rows, are rarely repeated and would take much
     * memory.
     */
    private static final int MAX_KEPT = 16_384;

    private final Dialect dialect;
    private final Recogniser recogniser;
    private final boolean ownOnly;
    private final AtomicReferenceArray<SqlText> entries = new AtomicReferenceArray<>(SETS * WAYS);

    private SqlTexts(Grammar grammar, boolean ownOnly) {
        this.dialect = grammar.dialect();
        this.recogniser = new Recogniser(grammar);
        this.ownOnly = ownOnly;
    }

    /** Returns a cache that recognises all statements of an engine that needs no description. */
    public static SqlTexts all(Dialect dialect) {
        return all(Grammar.of(dialect));
    }

    /** Returns a cache that recognises all statements. */
    public static SqlTexts all(Grammar grammar) {
        return new SqlTexts(grammar, false);
    }

    /** Returns a cache that recognises only statements for Multimed itself; all others are of kind {@link SqlKind#WRITE}. */
    public static SqlTexts ownOnly(Dialect dialect) {
        return new SqlTexts(Grammar.of(dialect), true);
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Returns the recognised form of the text; throws for no text. */
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
