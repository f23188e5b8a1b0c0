package io.multimed.sql;

import java.util.Set;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.statement.StatementFeatureVisitor;
import net.sf.jsqlparser.statement.StatementFeatures;
import net.sf.jsqlparser.statement.StmtFeature;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * JSqlParser as a second opinion: is this one query, and nothing but a query? One thread parses; any thread may
 * interrupt it.
 */
final class GeneralParser {
    /** Words that JSqlParser reserves and PostgreSQL allows as names; found by trying all of its words. */
    static final Set<String> FOREIGN_KEY_WORDS = Set.of(
            "connect_by_root",
            "csv",
            "distinctrow",
            "errors",
            "excludes",
            "extend",
            "fbv",
            "final",
            "force",
            "import",
            "includes",
            "minus",
            "nocycle",
            "output",
            "pivot",
            "preferring",
            "prewhere",
            "prior",
            "returns",
            "sample",
            "script",
            "semi",
            "settings",
            "sql_cache",
            "sql_calc_found_rows",
            "sql_no_cache",
            "statement",
            "unpivot",
            "use",
            "verify",
            "xor");

    private volatile @Nullable CCJSqlParser running;
    private volatile boolean interrupted;

    /** Makes the parse that is running fail soon; {@link #isQuery} then answers false. */
    void interrupt() {
        interrupted = true;
        CCJSqlParser parser = running;
        if (parser != null) {
            parser.interrupted = true;
        }
    }

    /** What was interrupted before is over. */
    void begin() {
        interrupted = false;
    }

    /** Whether a parse since {@link #begin} was made to fail. */
    boolean wasInterrupted() {
        return interrupted;
    }

    /** Whether it is a query without anything that changes data, schema or session, or locks rows. */
    boolean isQuery(Tokens tokens) {
        String text = QueryText.of(tokens, FOREIGN_KEY_WORDS);
        // The simple way first: it is faster and fails on some conditions in parentheses.
        return isQuery(text, false) || !interrupted && isQuery(text, true);
    }

    private boolean isQuery(String text, boolean complex) {
        CCJSqlParser parser = new CCJSqlParser(new StringProvider(text)).withAllowComplexParsing(complex);
        running = parser;
        try {
            return parser.Statement() instanceof Select select && isPure(StatementFeatureVisitor.analyse(select));
        } catch (Exception | StackOverflowError e) {
            // Whatever it stumbles over, the Master executes it.
            return false;
        } finally {
            running = null;
        }
    }

    private static boolean isPure(StatementFeatures features) {
        return !features.is(StmtFeature.MODIFIES_DATA)
                && !features.is(StmtFeature.MODIFIES_SCHEMA)
                && !features.is(StmtFeature.MODIFIES_SESSION)
                && !features.is(StmtFeature.MODIFIES_TRANSACTION)
                && !features.is(StmtFeature.OPAQUE);
    }
}
