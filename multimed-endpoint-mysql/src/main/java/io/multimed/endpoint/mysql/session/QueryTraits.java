package io.multimed.endpoint.mysql.session;

import io.multimed.sql.mysql.MysqlStatement;
import java.util.regex.Pattern;

/**
 * The properties of a COM_QUERY that only its text shows.
 *
 * @param asksForWarnings whether it is a question about the last statement's warnings, which every engine understands
 * @param declaresReadOnly whether it starts a transaction and says that this is READ ONLY
 * @param setsReadOnly whether it sets that the next transaction is READ ONLY, and nothing else
 */
record QueryTraits(boolean asksForWarnings, boolean declaresReadOnly, boolean setsReadOnly) {
    static final QueryTraits NONE = new QueryTraits(false, false, false);

    private static final Pattern SHOW_WARNINGS = Pattern.compile("(?i)\\s*SHOW\\s+(?:WARNINGS|ERRORS)[\\s;]*");
    private static final Pattern READ_ONLY = Pattern.compile("(?i)\\bREAD\\s+ONLY\\b");
    private static final Pattern SET_READ_ONLY = Pattern.compile("(?i)\\s*SET\\s+TRANSACTION\\s+READ\\s+ONLY[\\s;]*");

    static QueryTraits of(String text, MysqlStatement statement) {
        return new QueryTraits(
                statement.concernsLastStatement() && SHOW_WARNINGS.matcher(text).matches(),
                statement.boundary() != MysqlStatement.Boundary.NONE
                        && READ_ONLY.matcher(text).find(),
                statement.setsNextTransaction() && SET_READ_ONLY.matcher(text).matches());
    }
}
