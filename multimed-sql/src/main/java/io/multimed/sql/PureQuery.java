package io.multimed.sql;

import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.StatementFeatureVisitor;
import net.sf.jsqlparser.statement.StatementFeatures;
import net.sf.jsqlparser.statement.StmtFeature;
import net.sf.jsqlparser.statement.select.Select;

/** The general parser's opinion whether a statement only reads, for all dialects. */
public final class PureQuery {
    private PureQuery() {}

    /** Whether the statement is a query that changes nothing. */
    public static boolean is(Statement statement) {
        return statement instanceof Select select && isPure(StatementFeatureVisitor.analyse(select));
    }

    private static boolean isPure(StatementFeatures features) {
        return !features.is(StmtFeature.MODIFIES_DATA)
                && !features.is(StmtFeature.MODIFIES_SCHEMA)
                && !features.is(StmtFeature.MODIFIES_SESSION)
                && !features.is(StmtFeature.MODIFIES_TRANSACTION)
                && !features.is(StmtFeature.OPAQUE);
    }
}
