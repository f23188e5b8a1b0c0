package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.PrepareOk;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The session's last statement, if a Satellite has executed it: clients can ask for the number of its rows, and for its warnings. */
final class LastOnSatellite {
    private final MysqlSession session;
    /** The session's own connection that has executed it; null if it was another one, or the Master's. */
    private @Nullable SatelliteConnection connection;
    /** Its traces, if it was executed on a connection that others use too. */
    private @Nullable LastReply traces;

    private @Nullable SatelliteRead read;
    /** Whether it was executed on a shared connection with warnings, so that the traces are not all. */
    private boolean warned;
    /** Whether the Master has executed a command since, that leaves no trace but warnings. */
    private boolean warningsAreMasters;

    LastOnSatellite(MysqlSession session) {
        this.session = session;
    }

    boolean exists() {
        return connection != null || traces != null;
    }

    /** Returns the session's own connection that has executed it; null if it was another one. */
    @Nullable
    SatelliteConnection connection() {
        return connection;
    }

    boolean isOnSharedConnection() {
        return traces != null;
    }

    /** Whether the warnings of the last command are those of a Satellite too. */
    boolean hasWarnings() {
        return exists() && !warningsAreMasters;
    }

    /** Records a read that is sent on a connection of the session's own. */
    void isReadOn(SatelliteConnection own, SatelliteRead present) {
        read = present;
        isAskedOn(own);
    }

    /** Records a question about the last read, or the next rows of it. */
    void isAskedOn(SatelliteConnection own) {
        connection = own;
        traces = null;
        warningsAreMasters = false;
    }

    /** Records a read whose reply has come on a shared connection. */
    void wasShared(SatelliteRead present, SharedExchange exchange) {
        read = present;
        connection = null;
        traces = new LastReply(exchange.rows(), -1);
        warned = exchange.warnings() > 0;
        warningsAreMasters = false;
    }

    /** Records a command on a shared connection that changes no row. */
    void changesNothing() {
        if (traces != null) {
            traces = new LastReply(traces.rows(), 0);
        }
    }

    void clear() {
        connection = null;
        traces = null;
    }

    /** Records that the Master executes a command. */
    void masterAnswers(int command) {
        switch (command) {
            case MysqlCommand.STATISTICS,
                    MysqlCommand.STMT_CLOSE,
                    MysqlCommand.STMT_SEND_LONG_DATA,
                    MysqlCommand.STMT_RESET -> {}
            // It leaves FOUND_ROWS() and ROW_COUNT() as they are.
            case MysqlCommand.STMT_PREPARE -> warningsAreMasters = true;
            default -> clear();
        }
    }

    /** Has the Master know of the statement all that the client can ask for. */
    void bringToMaster(EngineLink master, Runnable done) {
        LastReply left = traces;
        SatelliteRead last = read;
        clear();
        Consumer<@Nullable List<MysqlOwnStatements.Answer>> then = answers -> {
            if (answers == null) {
                session.closed();
            } else {
                done.run();
            }
        };
        if (left != null && !warned) {
            MysqlOwnStatements.execute(master, session.masterCapabilities(), left.again(), then);
        } else if (last instanceof SatelliteRead.Text text) {
            MysqlOwnStatements.repeat(master, session.masterCapabilities(), List.of(text.payload()), then);
        } else if (last instanceof SatelliteRead.Execution execution) {
            repeat(master, execution, then);
        } else {
            done.run();
        }
    }

    /** Has the Master execute a prepared statement once more. The client may have closed it since. */
    private void repeat(
            EngineLink master,
            SatelliteRead.Execution execution,
            Consumer<@Nullable List<MysqlOwnStatements.Answer>> then) {
        PreparedStatements statements = session.statements();
        if (statements != null) {
            statements.registry().preparesAgain();
        }
        List<byte[]> preparation = List.of(execution.statement().text());
        MysqlOwnStatements.repeat(master, session.masterCapabilities(), preparation, answers -> {
            PrepareOk prepared = answers == null ? null : answers.get(0).prepared();
            if (answers == null || session.isClosed() || prepared == null) {
                then.accept(answers);
            } else {
                // Only by its own number: that of the last statement is another's if the preparation has failed.
                MysqlOwnStatements.repeat(
                        master, session.masterCapabilities(), execution.once(prepared.statement()), then);
            }
        });
    }
}
