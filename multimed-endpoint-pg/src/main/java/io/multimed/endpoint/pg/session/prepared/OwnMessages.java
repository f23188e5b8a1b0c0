package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * SHOW multimed.route and EXPLAIN (MULTIMED) as extended query messages. No engine knows statements prepared from them, nor their
 * portals.
 */
public final class OwnMessages {
    /** The error for EXPLAIN (MULTIMED) in a unit with other statements, which may change the state that is explained. */
    public static final ErrorFields TOGETHER = ErrorFields.error(
                    SqlState.FEATURE_NOT_SUPPORTED, "cannot execute EXPLAIN (MULTIMED) together with other statements")
            .withHint("Send it alone.");

    private final StatementClassifier classifier;
    private final Supplier<DatabaseCatalog> catalogs;
    private final OwnPortals portals;
    private final Supplier<String> route;
    private final ExplainedTexts explained;

    /**
     * Creates the handler.
     *
     * @param catalogs returns the present catalog of the session's database
     * @param route returns the node and the reason of the latest placement
     */
    public OwnMessages(
            StatementClassifier classifier,
            Supplier<DatabaseCatalog> catalogs,
            OwnPortals portals,
            Supplier<String> route,
            ExplainedTexts explained) {
        this.classifier = classifier;
        this.catalogs = catalogs;
        this.portals = portals;
        this.route = route;
        this.explained = explained;
    }

    /** Whether the SQL is one of these statements. The first letters exclude nearly all others. */
    boolean isAskedBy(byte[] sql) {
        int at = 0;
        while (at < sql.length && sql[at] >= 0 && sql[at] <= ' ') {
            at++;
        }
        if (at + 1 >= sql.length) {
            return false;
        }
        boolean comment = sql[at] == '/' || sql[at] == '-';
        int first = (sql[at] | ' ') << 8 | (sql[at + 1] | ' ');
        if (!comment && first != ('s' << 8 | 'h') && first != ('e' << 8 | 'x')) {
            return false;
        }
        ClassifiedSql known = classifier.classify(sql, 0, sql.length, catalogs.get());
        return known != null && areOwn(known.statements());
    }

    /** Whether the text is SHOW multimed.route or EXPLAIN (MULTIMED). */
    public static boolean areOwn(List<Statement> statements) {
        return MultimedSettings.asksRoute(statements) || areExplanation(statements);
    }

    /** Whether the text is EXPLAIN (MULTIMED) without other options. */
    public static boolean areExplanation(List<Statement> statements) {
        return statements.size() == 1
                && statements.getFirst() instanceof Statement.ExplainPlacement explanation
                && explanation.alone();
    }

    private boolean isExplanation(byte[] sql) {
        ClassifiedSql known = classifier.classify(sql, 0, sql.length, catalogs.get());
        return known != null && areExplanation(known.statements());
    }

    /** Returns the statement that an engine should parse, to report its errors, in place of such a statement; null if there is none. */
    byte @Nullable [] parsedFor(byte[] sql) {
        return isExplanation(sql) ? ExplainedTexts.explained(sql) : null;
    }

    /**
     * Handles a Bind at the head of {@code in} for such a statement. Of a long message only the beginning may have arrived.
     *
     * @return false if the statement was to be explained and is not
     */
    boolean bound(ByteBuf in, int total, ExtendedMessage.Bind bind, PreparedStatement statement) {
        // The message ends with the last result format or, if there is none, with the number of formats, which is 0.
        short format = in.readableBytes() < total ? 0 : in.getShort(in.readerIndex() + total - 2);
        Consumer<ByteBuf> columns;
        Consumer<ByteBuf> rows;
        if (isExplanation(statement.sql())) {
            List<String> lines = explained.take(statement.sql());
            if (lines == null) {
                return false;
            }
            columns = ExplainedTexts::columns;
            rows = out -> ExplainedTexts.rows(out, lines);
        } else {
            columns = OwnMessages::columnOfRoute;
            rows = out -> row(out, route.get());
        }
        portals.bound(OwnPortals.made(in, in.readerIndex(), bind), new OwnPortals.Portal() {
            @Override
            public void describe(ByteBuf out) {
                columns.accept(out);
                // Text has the same bytes in both formats. RowDescription ends with the format of its last column.
                out.setShort(out.writerIndex() - 2, format);
            }

            @Override
            public void execute(ByteBuf out) {
                rows.accept(out);
            }

            @Override
            public boolean runsOnce() {
                return false;
            }
        });
        return true;
    }

    void statementDescribed(PreparedStatement statement) {
        boolean explains = isExplanation(statement.sql());
        portals.answer(out -> {
            BackendMessages.noParameters(out);
            if (explains) {
                ExplainedTexts.columns(out);
            } else {
                columnOfRoute(out);
            }
        });
    }

    /** Writes the reply to an execution of SHOW multimed.route. */
    public static void row(ByteBuf out, String route) {
        BackendMessages.textRow(out, List.of(route));
        BackendMessages.commandComplete(out, "SHOW");
    }

    private static void columnOfRoute(ByteBuf out) {
        BackendMessages.textColumns(out, List.of(MultimedSettings.ROUTE));
    }
}
