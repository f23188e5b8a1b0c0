package io.multimed.endpoint.mysql.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The traces that a session's last statement has left on its connection to the Master.
 *
 * @param rows that {@code FOUND_ROWS()} shows
 * @param changed that {@code ROW_COUNT()} shows
 */
record LastReply(long rows, long changed) {
    /** Those of a new session. */
    static final LastReply NONE = new LastReply(0, -1);
    /** Reads the traces. Whatever sql_select_limit is, there is a row. */
    static final String EXPRESSIONS = "FOUND_ROWS(), ROW_COUNT()";

    /** Largest number of changed rows that another connection can be made to show. */
    static final long MOST_CHANGED = 1;

    /** Without a table, or one that is derived, a query would leave the warnings of the statement before. */
    static final String NOTHING = "SELECT 1 FROM (SELECT 1) nothing LIMIT 0";

    private static final int MOST_LISTED = 100;
    private static final int FACTOR = 10;
    private static final String TEN = "(" + listed(FACTOR) + ")";

    /** Returns statements that leave the same traces on another connection, and no warnings. */
    List<String> again() {
        List<String> statements = new ArrayList<>();
        if (changed == MOST_CHANGED && rows == 0) {
            // Without a table nothing counts as found.
            statements.add(intoNothing("SELECT 1"));
        } else if (changed == MOST_CHANGED) {
            statements.add(intoNothing(counting()));
        } else {
            statements.add(rows == 0 ? NOTHING : counting());
            if (changed >= 0) {
                statements.add("DO 0");
            }
        }
        return statements;
    }

    private static String intoNothing(String query) {
        return query + " INTO @multimed_changed";
    }

    private String counting() {
        String query = "SELECT SQL_CALC_FOUND_ROWS 1 FROM (" + source() + ") found LIMIT 1";
        return rows <= MOST_LISTED ? query : "SET STATEMENT sql_big_selects=1 FOR " + query;
    }

    private String source() {
        if (rows <= MOST_LISTED) {
            return listed((int) rows) + " LIMIT " + rows;
        }
        StringBuilder product = new StringBuilder("SELECT 1 FROM ").append(TEN).append(" f0");
        long size = FACTOR;
        for (int i = 1; size < rows; i++) {
            product.append(", ").append(TEN).append(" f").append(i);
            size *= FACTOR;
        }
        return product.append(" LIMIT ").append(rows).toString();
    }

    private static String listed(int rows) {
        return String.join(" UNION ALL ", Collections.nCopies(rows, "SELECT 1 AS n"));
    }
}
