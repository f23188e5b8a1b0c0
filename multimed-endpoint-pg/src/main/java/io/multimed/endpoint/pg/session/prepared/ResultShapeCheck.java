package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.Analysis;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the result columns of a prepared statement have not changed since the client received their description, by which it
 * reads the rows. An engine that has to prepare the statement again, after a change of the schema or of name resolution, is first
 * asked for a description. If the result differs, the client is refused, as by a single engine that has kept the statement and
 * detects the difference.
 */
public final class ResultShapeCheck {
    /** The question to an engine about a statement that it does not hold. */
    static final class Question implements Subject.Question {
        private final BackendConnection asked;
        private final PreparedStatement statement;
        /** The statement that the engine prepares in its place. */
        private final PreparedStatement now;

        private final long version;
        private boolean differs;
        private boolean answered;

        private Question(BackendConnection asked, PreparedStatement statement, PreparedStatement now, long version) {
            this.asked = asked;
            this.statement = statement;
            this.now = now;
            this.version = version;
        }

        @Override
        public void answered(Analysis analysis) {
            answered = true;
            Analysis expected = statement.analysis();
            differs = expected != null && !expected.returnsAs(analysis);
            if (now.analysis() == null) {
                now.analysed(analysis);
            }
            if (analysis.equals(now.analysis())) {
                now.confirmedUnder(version);
            }
        }
    }

    /** Drivers (asyncpg, pgjdbc) recognize this error by the routine and prepare again. */
    public static final ErrorFields REFUSAL = ErrorFields.error(
                    SqlState.FEATURE_NOT_SUPPORTED, "cached plan must not change result type")
            .withRoutine("RevalidateCachedQuery");

    private final StatementClassifier classifier;
    private final CurrentAnalysis analysis;
    private final Exchange exchange;
    private final AwaitingEngine engine;
    /**
     * The questions of the present unit. An engine session is asked once about each statement, however often the schema changes
     * meanwhile. A lost engine session may not have answered, so the next one is asked again.
     */
    private final List<Question> questions = new ArrayList<>(0);

    public ResultShapeCheck(
            StatementClassifier classifier, CurrentAnalysis analysis, Exchange exchange, AwaitingEngine engine) {
        this.classifier = classifier;
        this.analysis = analysis;
        this.exchange = exchange;
        this.engine = engine;
    }

    /** Whether no engine is asked about a statement. */
    public boolean isIdle() {
        return questions.isEmpty();
    }

    /** Forgets the questions, because another unit is examined next. */
    public void forget() {
        questions.clear();
    }

    /**
     * Checks the statements that a placed segment uses.
     *
     * @return false when an answer must be awaited first
     */
    public boolean prepare(List<PreparedStatement> used) {
        if (exchange.status() == 'E' || exchange.isIgnored()) {
            return true;
        }
        for (int i = 0; i < used.size(); i++) {
            PreparedStatement statement = used.get(i);
            if (!isHeld(statement) && !prepare(statement)) {
                return false;
            }
        }
        return true;
    }

    private boolean isHeld(PreparedStatement statement) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        return statement.engineName().isEmpty()
                ? prepared.unnamed() == statement || statement.names() == null
                : prepared.holds(statement);
    }

    private boolean prepare(PreparedStatement statement) {
        long version = analysis.schemaVersion();
        PreparedStatement now = analysis.asPreparedNow(statement);
        boolean resolvesAsBefore = now == statement && analysis.resolvesAsNow(statement);
        if ((resolvesAsBefore && statement.isConfirmedUnder(version)) || isAskedAbout(statement, version)) {
            return true;
        }
        Analysis expected = statement.analysis();
        if (expected == null) {
            if (statement.isReliedOnUnanalysed() && classifier.isAnalysed(statement.sql())) {
                refuse(statement, now, version);
            }
            return true;
        }
        Analysis known = now.analysis();
        if (now != statement && known != null && now.isConfirmedUnder(version)) {
            if (!known.returnsAs(expected)) {
                refuse(statement, now, version);
            }
            return true;
        }
        boolean amid = exchange.isUnsynced();
        if (amid || exchange.onlyInternal()) {
            // The question is sent although replies for the settings are outstanding: once those have arrived, the
            // connection may be given to another session, which changes the settings.
            ask(statement, now, version, amid);
        }
        return engine.awaitReplies();
    }

    private void refuse(PreparedStatement statement, PreparedStatement now, long version) {
        Question question = new Question(exchange.bound(), statement, now, version);
        question.differs = true;
        questions.add(question);
    }

    /** The first of these statements whose use must be refused; null if there is none. */
    public @Nullable PreparedStatement refused(List<PreparedStatement> used) {
        for (int i = 0; i < used.size(); i++) {
            for (int k = 0; k < questions.size(); k++) {
                if (questions.get(k).differs && questions.get(k).statement == used.get(i)) {
                    return used.get(i);
                }
            }
        }
        return null;
    }

    /**
     * Whether the question need not be asked. An answer counts from any engine session, since the unit may be given another
     * connection each time, which would otherwise have to be asked again.
     */
    private boolean isAskedAbout(PreparedStatement statement, long version) {
        BackendConnection backend = exchange.bound();
        for (int i = 0; i < questions.size(); i++) {
            Question question = questions.get(i);
            boolean settled = question.answered && question.version == version;
            if (question.statement == statement && (settled || question.asked == backend)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Makes the engine prepare and describe the statement. If the engine refuses, that is the client's answer.
     *
     * @param amid whether the client has sent messages that no Sync has followed; a Sync would end their transaction
     */
    private void ask(PreparedStatement statement, PreparedStatement now, long version, boolean amid) {
        BackendConnection backend = exchange.bound();
        Question asked = new Question(backend, statement, now, version);
        questions.add(asked);
        ByteBuf out = backend.buffer(64 + statement.size());
        backend.prepared().unnamed(null);
        FrontendMessages.parse(out, "", statement.sql(), statement.engineTypes());
        exchange.expect(MessageKind.PARSE, amid ? Note.INTERNAL : SqlNames.LENT);
        FrontendMessages.describe(out, (byte) 'S', "");
        exchange.expect(MessageKind.DESCRIBE, new Note(true, asked));
        if (!amid) {
            FrontendMessages.sync(out);
            exchange.expect(MessageKind.SYNC, Note.INTERNAL);
        }
        backend.sparedFromCancel();
        backend.write(out);
    }
}
