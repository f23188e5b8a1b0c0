package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements.Answer;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.PrepareOk;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
     * One preparation among the commands that the Master is sent.
     *
     * @param begin number of the first command that makes the settings those of the preparation
     * @param at number of the preparation
     * @param end number behind the last command that makes the settings the present ones again
     */
    private record Step(MysqlPreparedStatement statement, int begin, int at, int end) {
        /** Returns the error by which the settings could not be those of the preparation; null if there was none. */
        @Nullable
        ErrMessage restoringError(List<Answer> answers) {
            return error(answers.subList(begin, at));
        }

        /** Returns the error by which the settings are not the present ones; null if there was none. */
        @Nullable
        ErrMessage returningError(List<Answer> answers) {
            return error(answers.subList(at + 1, end));
        }

        private static @Nullable ErrMessage error(List<Answer> answers) {
            return answers.stream()
                    .map(Answer::error)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
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
        SessionState state = session.state();
        if (!statements.isEmpty() && !state.variables().areKnown()) {
            learn(() -> execute(statements, done));
            return;
        }
        ErrMessage refusal = null;
        List<byte[]> payloads = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (MysqlPreparedStatement statement : statements) {
            if (!statement.origin().canBePrepared(state)) {
                statement.onMaster().refuse();
                refusal = MysqlErrors.NOT_PREPARED;
                continue;
            }
            int begin = payloads.size();
            List<String> restoring = statement.origin().restoring(state);
            restoring.forEach(text -> payloads.add(query(text)));
            int at = payloads.size();
            payloads.add(statement.text());
            if (!restoring.isEmpty()) {
                statement.origin().returning(state).forEach(text -> payloads.add(query(text)));
            }
            steps.add(new Step(statement, begin, at, payloads.size()));
        }
        if (steps.isEmpty()) {
            done.accept(refusal);
            return;
        }
        ErrMessage before = refusal;
        MysqlOwnStatements.repeat(session.master(), session.masterCapabilities(), payloads, answers -> {
            if (answers == null || session.isClosed()) {
                session.closed();
                return;
            }
            ErrMessage last = before;
            for (Step step : steps) {
                ErrMessage error = step.returningError(answers);
                if (error != null) {
                    session.hold().lost(error.message());
                    return;
                }
                last = record(step, answers);
            }
            session.idleOnMaster();
            done.accept(last);
        });
    }

    /** Asks the Master for the session's settings: they have to be the present ones again after a preparation with others. */
    private void learn(Runnable done) {
        SessionState state = session.state();
        List<String> question = List.of("SELECT " + state.variables().expressions());
        MysqlOwnStatements.execute(session.master(), session.masterCapabilities(), question, answers -> {
            if (answers == null || session.isClosed()) {
                session.closed();
                return;
            }
            List<@Nullable String> row = answers.get(0).onlyRow();
            if (row == null) {
                session.hold().lost("the Master does not tell the session's variables");
                return;
            }
            state.variables().take(row);
            state.status(answers.get(0).status());
            done.run();
        });
    }

    private @Nullable ErrMessage record(Step step, List<Answer> answers) {
        PreparedOnMaster onMaster = step.statement().onMaster();
        Answer answer = answers.get(step.at());
        PrepareOk prepared = answer.prepared();
        ErrMessage restoring = step.restoringError(answers);
        if (answer.error() != null || prepared == null) {
            onMaster.refuse();
            return restoring == null ? answer.error() : restoring;
        }
        onMaster.prepared(
                prepared.statement(), prepared.columns() != step.statement().columns());
        if (restoring != null) {
            // Prepared with other settings, it may be another statement.
            close(step.statement());
            onMaster.refuse();
        }
        return restoring;
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
