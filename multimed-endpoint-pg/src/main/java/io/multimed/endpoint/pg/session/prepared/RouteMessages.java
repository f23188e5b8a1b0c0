package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Supplier;

/** SHOW multimed.route as extended query messages. No engine knows statements prepared from it, nor their portals. */
public final class RouteMessages {
    private final StatementClassifier classifier;
    private final Supplier<DatabaseCatalog> catalogs;
    private final OwnPortals portals;
    private final Supplier<String> route;

    /**
     * Creates the handler.
     *
     * @param catalogs returns the present catalog of the session's database
     * @param route returns the node and the reason of the latest placement
     */
    public RouteMessages(
            StatementClassifier classifier,
            Supplier<DatabaseCatalog> catalogs,
            OwnPortals portals,
            Supplier<String> route) {
        this.classifier = classifier;
        this.catalogs = catalogs;
        this.portals = portals;
        this.route = route;
    }

    /** Whether the SQL is SHOW multimed.route. The first letters exclude nearly all other statements. */
    boolean isAskedBy(byte[] sql) {
        int at = 0;
        while (at < sql.length && sql[at] >= 0 && sql[at] <= ' ') {
            at++;
        }
        if (at + 1 >= sql.length) {
            return false;
        }
        boolean comment = sql[at] == '/' || sql[at] == '-';
        if (!comment && ((sql[at] | ' ') != 's' || (sql[at + 1] | ' ') != 'h')) {
            return false;
        }
        ClassifiedSql known = classifier.classify(sql, 0, sql.length, catalogs.get());
        return known != null && MultimedSettings.asksRoute(known.statements());
    }

    /** Handles a Bind at the head of {@code in} for such a statement. Of a long message only the beginning may have arrived. */
    void bound(ByteBuf in, int total, ExtendedMessage.Bind bind) {
        // The message ends with the last result format or, if there is none, with the number of formats, which is 0.
        short format = in.readableBytes() < total ? 0 : in.getShort(in.readerIndex() + total - 2);
        portals.bound(OwnPortals.made(in, in.readerIndex(), bind), new OwnPortals.Portal() {
            @Override
            public void describe(ByteBuf out) {
                columns(out, format);
            }

            @Override
            public void execute(ByteBuf out) {
                row(out, route.get());
            }

            @Override
            public boolean runsOnce() {
                return false;
            }
        });
    }

    void statementDescribed() {
        portals.answer(out -> {
            BackendMessages.noParameters(out);
            columns(out, (short) 0);
        });
    }

    /** Writes the reply to an execution. */
    public static void row(ByteBuf out, String route) {
        BackendMessages.textRow(out, List.of(route));
        BackendMessages.commandComplete(out, "SHOW");
    }

    private static void columns(ByteBuf out, short format) {
        BackendMessages.textColumns(out, List.of(MultimedSettings.ROUTE));
        // Text has the same bytes in both formats. RowDescription ends with the format of its last column.
        out.setShort(out.writerIndex() - 2, format);
    }
}
