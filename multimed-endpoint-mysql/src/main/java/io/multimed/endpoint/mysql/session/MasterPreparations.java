package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.PrepareOk;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the client's statements again on another connection to the Master than that on which the client has prepared them, with the settings
 * and the database of that time.
 *
 * <p>MariaDB prepares a statement again by itself after a change of its tables, and the error is that of the execution if it cannot. So
 * an error here is one that the client would see as well.
 */
final class MasterPreparations {
    private final MysqlSession session;

    MasterPreparations(MysqlSession session) {
        this.session = session;
    }

    /**
     * Prepares a statement.
     *
     * @param done receives the error; null if there was none
     */
    void prepare(MysqlPreparedStatement statement, Consumer<@Nullable ErrMessage> done) {
        execute(List.of(statement), done);
    }

    /** Prepares statements. Those for which that is not possible are tried again when the client needs them. */
    void prepare(List<MysqlPreparedStatement> statements, Runnable done) {
        execute(statements, ignored -> done.run());
    }

    private void execute(List<MysqlPreparedStatement> statements, Consumer<@Nullable ErrMessage> done) {
        if (statements.isEmpty()) {
            done.accept(null);
            return;
        }
        SessionState state = session.state();
        List<byte[]> payloads = new ArrayList<>();
        List<Integer> preparations = new ArrayList<>();
        for (MysqlPreparedStatement statement : statements) {
            List<String> restoring = statement.origin().restoring(state);
            restoring.forEach(text -> payloads.add(query(text)));
            preparations.add(payloads.size());
            payloads.add(statement.text());
            if (!restoring.isEmpty()) {
                statement.origin().returning(state).forEach(text -> payloads.add(query(text)));
            }
        }
        MysqlOwnStatements.repeat(session.master(), session.masterCapabilities(), payloads, answers -> {
            if (answers == null || session.isClosed()) {
                session.closed();
                return;
            }
            ErrMessage refusal = null;
            for (int i = 0; i < statements.size(); i++) {
                int preparation = preparations.get(i);
                refusal = record(statements.get(i), answers.get(preparation));
                answers.set(preparation, answers.get(preparation).without());
            }
            for (MysqlOwnStatements.Answer answer : answers) {
                if (answer.error() != null) {
                    session.hold().lost(answer.error().message());
                    return;
                }
            }
            session.idleOnMaster();
            done.accept(refusal);
        });
    }

    private static @Nullable ErrMessage record(MysqlPreparedStatement statement, MysqlOwnStatements.Answer answer) {
        PrepareOk prepared = answer.prepared();
        if (answer.error() != null || prepared == null) {
            statement.onMaster().refuse();
            return answer.error();
        }
        statement.onMaster().prepared(prepared.statement(), prepared.columns() != statement.columns());
        return null;
    }

    private static byte[] query(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] payload = new byte[bytes.length + 1];
        payload[0] = MysqlCommand.QUERY;
        System.arraycopy(bytes, 0, payload, 1, bytes.length);
        return payload;
    }

    /** Has the Master close a statement, which is prepared again then. */
    void close(MysqlPreparedStatement statement) {
        if (statement.onMaster().isPrepared()) {
            ByteBuf out = session.master().alloc().buffer();
            int begun = Packets.begin(out, 0);
            out.writeByte(MysqlCommand.STMT_CLOSE)
                    .writeIntLE(statement.onMaster().number());
            Packets.end(out, begun);
            session.master().write(out);
            statement.onMaster().forget();
        }
    }
}
