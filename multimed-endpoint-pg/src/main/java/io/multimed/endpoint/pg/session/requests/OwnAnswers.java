package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.prepared.OwnMessages;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes replies that Multimed gives without an engine. */
final class OwnAnswers {
    private OwnAnswers() {}

    /** Answers SHOW multimed.route sent as a Query. */
    static void route(ByteBuf out, String route, byte status) {
        BackendMessages.textColumns(out, List.of(MultimedSettings.ROUTE));
        OwnMessages.row(out, route);
        BackendMessages.readyForQuery(out, status);
    }

    /** Answers LISTEN and UNLISTEN sent as a Query. */
    static void notifications(ByteBuf out, List<Statement> statements, @Nullable ErrorFields failure) {
        if (failure != null) {
            BackendMessages.error(out, failure);
        } else {
            statements.forEach(statement -> BackendMessages.commandComplete(out, tag(statement)));
        }
        BackendMessages.readyForQuery(out, (byte) 'I');
    }

    /** Answers LISTEN and UNLISTEN sent as a segment of extended query messages, which are taken from {@code in}. */
    static void listeningSegment(
            ByteBuf in, int length, ByteBuf out, List<Statement> statements, @Nullable ErrorFields failure) {
        int end = in.readerIndex() + length;
        boolean failed = false;
        int executed = 0;
        while (in.readerIndex() < end) {
            byte type = in.readByte();
            ByteBuf body = in.readSlice(in.readInt() - 4);
            if (type == Frontend.SYNC) {
                BackendMessages.readyForQuery(out, (byte) 'I');
            } else if (!failed) {
                switch (type) {
                    case Frontend.PARSE -> BackendMessages.parseComplete(out);
                    case Frontend.BIND -> BackendMessages.bindComplete(out);
                    case Frontend.DESCRIBE -> {
                        if (body.readByte() == 'S') {
                            BackendMessages.noParameters(out);
                        }
                        BackendMessages.noData(out);
                    }
                    case Frontend.EXECUTE -> {
                        if (failure != null) {
                            BackendMessages.error(out, failure);
                            failed = true;
                        } else {
                            BackendMessages.commandComplete(out, tag(statements.get(executed++)));
                        }
                    }
                    case Frontend.CLOSE -> BackendMessages.closeComplete(out);
                    default -> {}
                }
            }
        }
    }

    private static String tag(Statement statement) {
        return statement instanceof Statement.Listen ? "LISTEN" : "UNLISTEN";
    }
}
