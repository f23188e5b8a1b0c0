package io.multimed.jdbc.sql;

import java.util.List;

/** Recognition of the statements of one kind of engine. Has no state; any thread. */
public interface Grammar {
    Dialect dialect();

    /**
     * Recognises one statement.
     *
     * @param tokens its tokens; there is at least one
     */
    SqlText statement(String sql, List<SqlToken> tokens);

    /** Whether definitions may have bodies that begin with BEGIN, contain semicolons and end with the text. */
    boolean hasBodies();

    /**
     * Returns a text that is too long to be recognised.
     *
     * @param most the longest length that is recognised
     */
    default SqlText tooLong(String sql, int most) {
        return SqlText.of(sql, SqlKind.WRITE);
    }

    /**
     * Returns the text of several statements.
     *
     * @param parts the statements, in order
     */
    default SqlText several(String sql, List<SqlText> parts) {
        boolean special = parts.stream().anyMatch(part -> part.kind().isSpecial());
        return special ? SqlText.several(sql, parts) : SqlText.of(sql, SqlKind.WRITE);
    }

    /** Returns the grammar of an engine that needs no description. */
    static Grammar of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? new ServerGrammar() : new CapturedGrammar(dialect);
    }
}
