package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.protocol.mysql.ReplyFlow;
import io.multimed.sql.mysql.MysqlStatement;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements that the client has prepared by COM_STMT_PREPARE, by the numbers that the client knows. */
final class PreparedRegistry {
    private final MysqlSession session;
    private final PreparedCounts counts;
    private final Map<Integer, MysqlPreparedStatement> statements = new LinkedHashMap<>();
    private int lastNumber;
    /** The statement that was prepared last; null if that has failed, or it is closed. */
    private @Nullable MysqlPreparedStatement last;

    /** Whether the one that the Master has prepared last is another one. */
    private boolean mastersLastIsOther;

    private @Nullable PreparedText preparing;
    /** Whether all can be prepared on another connection to the Master, as far as that has been found out. */
    private boolean movable = true;

    private boolean isMovableKnown;
    private int generation;

    PreparedRegistry(MysqlSession session) {
        this.session = session;
        counts = session.loop().preparedCounts();
    }

    /** Returns the statement with a number that the client has sent; null if there is none. */
    @Nullable
    MysqlPreparedStatement find(int number) {
        return number == ExecuteMessage.LAST_PREPARED ? last : statements.get(number);
    }

    /** Whether the Master may take a number that the client has for no statement for that of one. */
    boolean isMastersNumber(int number) {
        return number == ExecuteMessage.LAST_PREPARED
                ? mastersLastIsOther
                : statements.values().stream()
                        .anyMatch(statement -> statement.onMaster().number() == number);
    }

    /** Whether the statement that the Master has prepared last may be another one than the client's last one. */
    boolean isMastersLastOther() {
        return mastersLastIsOther;
    }

    /** Records that the client prepares a statement. Unless that succeeds, there is no last one: an execution of it must not be another's. */
    void preparationBegins() {
        last = null;
        mastersLastIsOther = true;
    }

    /** Records that a statement may need the present connection to the Master now, or need it no longer. */
    void mayChange() {
        isMovableKnown = false;
    }

    /** Whether all can be prepared on another connection to the Master. */
    boolean canMove() {
        SessionState state = session.state();
        int present = state.variables().generation();
        if (!isMovableKnown || generation != present) {
            generation = present;
            isMovableKnown = true;
            movable = statements.values().stream().allMatch(statement -> statement.canMove(state));
        }
        return movable;
    }

    /** Keeps the settings with which statements were prepared: they are known now. */
    void learn() {
        MysqlVariables variables = session.state().variables();
        statements.values().forEach(statement -> statement.origin().learn(variables));
        mayChange();
    }

    /** Records that the session has no connection to the Master any more. */
    void masterLeft() {
        statements.values().forEach(statement -> statement.onMaster().forget());
    }

    /** Records that the Master prepares statements again. */
    void preparesAgain() {
        mastersLastIsOther = true;
    }

    /** Returns those that the present connection to the Master has not prepared, and not refused to. */
    List<MysqlPreparedStatement> unprepared() {
        List<MysqlPreparedStatement> missing = new ArrayList<>();
        for (MysqlPreparedStatement statement : statements.values()) {
            if (!statement.onMaster().isPrepared() && !statement.onMaster().isRefused()) {
                missing.add(statement);
            }
        }
        return missing;
    }

    /**
     * Returns those that cannot be prepared right before their execution. If it is not known that they use tables, the execution leaves the
     * warnings of the statement before, which a preparation would take away. If they need other settings, the change of these would also
     * take away what SET TRANSACTION has chosen for one transaction, and ROW_COUNT().
     */
    List<MysqlPreparedStatement> neededAtOnce() {
        List<MysqlPreparedStatement> found = new ArrayList<>();
        for (MysqlPreparedStatement statement : statements.values()) {
            if (statement.execution().concernsLastStatement()
                    || !CommandTraits.usesTables(
                            statement.execution(), statement.origin().sql())
                    || !statement.origin().isOfNow(session.state())) {
                found.add(statement);
            }
        }
        return found;
    }

    /**
     * Begins with a preparation.
     *
     * @return whether there is room for one more statement
     */
    boolean begin(ByteBuf packet) {
        cancel();
        if (!counts.reserve()) {
            return false;
        }
        lastNumber++;
        PreparedText text = PreparedText.of(packet, session.state());
        preparing = text.isKept() && !counts.reserveBytes(text.payload().length) ? text.forgotten() : text;
        return true;
    }

    /** Ends a preparation that the Master has not been asked for. */
    void cancel() {
        if (preparing != null) {
            release(preparing);
            preparing = null;
        }
    }

    /** Returns the number for the statement that is being prepared. */
    int nextNumber() {
        return lastNumber;
    }

    /** Records that the Master has prepared the statement, or has refused to. */
    void prepared(boolean succeeded, MysqlStatement properties, int number, ReplyFlow reply) {
        PreparedText text = preparing;
        preparing = null;
        last = null;
        // MariaDB forgets the last one with every error of a preparation but this one.
        mastersLastIsOther = reply.errorCode() == MysqlErrors.TOO_MANY_STATEMENTS;
        mayChange();
        if (text == null) {
            return;
        }
        if (!succeeded) {
            release(text);
            return;
        }
        MysqlPreparedStatement prepared = new MysqlPreparedStatement(
                number, reply.parameters(), reply.columnsOfPrepared(), text, properties, counts);
        prepared.onMaster().prepared(reply.statement(), false);
        statements.put(number, prepared);
        last = prepared;
    }

    private void release(PreparedText text) {
        counts.release();
        counts.releaseBytes(text.payload().length);
    }

    private void release(MysqlPreparedStatement statement) {
        statement.ahead().take();
        release(statement.origin());
    }

    void remove(MysqlPreparedStatement statement) {
        statements.remove(statement.number());
        release(statement);
        if (last == statement) {
            last = null;
        }
        mayChange();
    }

    /** Forgets all: the Master has closed them. */
    void clear() {
        statements.values().forEach(this::release);
        statements.clear();
        cancel();
        last = null;
        mayChange();
    }
}
