package io.multimed.endpoint.mysql.session;

import io.multimed.core.counters.AdminTable;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.OwnReply;
import io.multimed.protocol.mysql.Packets;
import io.multimed.sql.mysql.MultimedRequest;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's statements for Multimed itself, as text or prepared. No engine sees them, so they change nothing there: not the
 * transaction, nor what the last statement has left.
 */
final class OwnRequests {
    private static final Logger LOG = LoggerFactory.getLogger(OwnRequests.class);
    /** Number of the first prepared statement. The Master counts from 1. */
    private static final int FIRST = 0x7000_0000;

    private static final int LONGEST_TEXT = 1 << 12;

    private final MysqlSession session;
    private final ReadChoices choices;
    private final Map<Integer, MultimedRequest> prepared = new HashMap<>();
    private int next = FIRST;
    /** Number of the statement that was prepared last; 0 if that was not one of these. */
    private int last;

    OwnRequests(MysqlSession session, ReadChoices choices) {
        this.session = session;
        this.choices = choices;
    }

    /** The columns and rows of an answer. */
    private interface Answer {
        /** Appends the reply. */
        void write(OwnReply reply);
    }

    /** Begins anew: the client has logged in again, or has reset its connection. */
    void clear() {
        prepared.clear();
        last = 0;
    }

    /** Records that the client prepares a statement. Unless that succeeds, there is no last one. */
    void preparationBegins() {
        last = 0;
    }

    /** Answers the command if it concerns Multimed itself. @return whether it does */
    boolean take(int command, ByteBuf packet, int length) {
        return switch (command) {
            case MysqlCommand.QUERY -> {
                MultimedRequest request = read(packet, length);
                if (request != null) {
                    execute(request, false);
                }
                yield request != null;
            }
            case MysqlCommand.STMT_PREPARE -> {
                MultimedRequest request = read(packet, length);
                if (request != null) {
                    prepare(request);
                }
                yield request != null;
            }
            case MysqlCommand.STMT_EXECUTE,
                    MysqlCommand.STMT_CLOSE,
                    MysqlCommand.STMT_RESET,
                    MysqlCommand.STMT_FETCH,
                    MysqlCommand.STMT_SEND_LONG_DATA -> !prepared.isEmpty() && takePrepared(command, packet, length);
            default -> false;
        };
    }

    /** Reads the text, if its first letters show that it may be SHOW or SET, or that a comment comes first. */
    private static @Nullable MultimedRequest read(ByteBuf packet, int length) {
        if (length > LONGEST_TEXT || !mayBeOwn(packet, length)) {
            return null;
        }
        return MultimedRequest.of(
                packet.toString(packet.readerIndex() + Packets.HEADER + 1, length - 1, StandardCharsets.ISO_8859_1));
    }

    private static boolean mayBeOwn(ByteBuf packet, int length) {
        int at = packet.readerIndex() + Packets.HEADER + 1;
        int end = packet.readerIndex() + Packets.HEADER + length;
        while (at < end && packet.getByte(at) <= ' ' && packet.getByte(at) >= 0) {
            at++;
        }
        if (at + 3 >= end) {
            return false;
        }
        if (packet.getByte(at) == '/') {
            return true;
        }
        boolean isS = isLetter(packet, at, 's');
        return isS
                && ((isLetter(packet, at + 1, 'h') && isLetter(packet, at + 2, 'o'))
                        || (isLetter(packet, at + 1, 'e') && isLetter(packet, at + 2, 't')));
    }

    private static boolean isLetter(ByteBuf packet, int at, char small) {
        return (packet.getByte(at) | 0x20) == small;
    }

    private boolean takePrepared(int command, ByteBuf packet, int length) {
        if (length < 1 + Integer.BYTES) {
            return false;
        }
        int said = packet.getIntLE(packet.readerIndex() + Packets.HEADER + 1);
        int number = said == ExecuteMessage.LAST_PREPARED ? last : said;
        MultimedRequest request = prepared.get(number);
        if (request == null) {
            return false;
        }
        switch (command) {
            case MysqlCommand.STMT_EXECUTE -> execute(request, true);
            case MysqlCommand.STMT_CLOSE -> {
                prepared.remove(number);
                session.ready();
            }
            case MysqlCommand.STMT_RESET -> answer(OwnReply::ok);
            case MysqlCommand.STMT_FETCH -> answer(reply -> reply.error(MysqlErrors.NO_CURSOR));
            default -> session.ready();
        }
        return true;
    }

    private void execute(MultimedRequest request, boolean binary) {
        switch (request) {
            case MultimedRequest.SetSetting set -> {
                ErrMessage error = set.isGlobal()
                        ? MysqlErrors.sessionSetting(set.name())
                        : choices.choose(set.name(), set.value());
                answer(reply -> {
                    if (error == null) {
                        reply.ok();
                    } else {
                        reply.error(error);
                    }
                });
            }
            default -> rows(request, table -> answer(reply -> reply.rows(table.columns(), table.rows(), binary)));
        }
    }

    private void prepare(MultimedRequest request) {
        if (request instanceof MultimedRequest.SetSetting) {
            prepared(request, new AdminTable(List.of(), List.of()));
        } else {
            rows(request, table -> prepared(request, table));
        }
    }

    private void prepared(MultimedRequest request, AdminTable table) {
        int number = next;
        next = next == Integer.MAX_VALUE ? FIRST : next + 1;
        last = number;
        prepared.put(number, request);
        answer(reply -> reply.prepared(number, table.columns(), table.rows()));
    }

    private interface Rows {
        void are(AdminTable table);
    }

    /** Finds the rows of a SHOW, or answers with an error. */
    private void rows(MultimedRequest request, Rows found) {
        switch (request) {
            case MultimedRequest.ShowSetting show -> {
                String value = choices.value(show.name());
                if (value == null) {
                    answer(reply -> reply.error(MysqlErrors.unknownSetting(show.name())));
                } else {
                    found.are(new AdminTable(List.of("multimed." + show.name()), List.of(List.of(value))));
                }
            }
            case MultimedRequest.ShowTable show -> table(show.name(), found);
            default -> answer(reply -> reply.error(MysqlErrors.UNCLEAR));
        }
    }

    /** Tables tell of all event loops, so none of these makes them. */
    private void table(String name, Rows found) {
        Thread.ofVirtual().start(() -> {
            AdminTable table = null;
            ErrMessage error = MysqlErrors.UNCLEAR;
            try {
                table = session.loop().services().tables().apply(name);
            } catch (RuntimeException e) {
                LOG.error("SHOW MULTIMED {} has failed", name, e);
                error = MysqlErrors.FAILED;
            }
            AdminTable made = table;
            ErrMessage reason = error;
            session.loop().loop().execute(() -> {
                if (session.isClosed()) {
                    return;
                }
                if (made == null) {
                    answer(reply -> reply.error(reason));
                } else {
                    found.are(made);
                }
            });
        });
    }

    private void answer(Answer answer) {
        ByteBuf out = session.client().alloc().buffer();
        answer.write(
                new OwnReply(out, session.clientCapabilities(), session.state().status()));
        session.client().write(out);
        session.client().flush();
        session.ready();
    }
}
