package io.multimed.bench.client;

import io.multimed.bench.measure.MeasuredOperations;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one client, one after the other on one connection. A transaction that lost a conflict is begun again with
 * the same choices; a lost connection is replaced by a new one. Used by the client's thread alone.
 */
public final class Transactions {
    /** Opens the connection and makes all settings beyond its URL. */
    public interface Opening {
        Connection open() throws SQLException;
    }

    /** The statements of one transaction. */
    public interface Body<T> {
        T run(PreparedSql sql) throws SQLException;
    }

    /** SQLSTATEs of transactions that lost a conflict: serialization failure, deadlock, H2's timeout of a lock. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "HYT00");

    private static final int MOST_ATTEMPTS = 100;
    /**
     * Number of attempts without a pause. HSQLDB refuses a transaction at once, before the conflicting one has ended, so a
     * repetition without a pause is refused again.
     */
    private static final int ATTEMPTS_AT_ONCE = 5;

    private static final long STEP_NANOS = 100_000;
    private static final long PAUSE_MILLIS = 200;

    private final Opening opening;
    private final Beginning beginning;
    private final MeasuredOperations recording;
    private final Told told;
    private final Choices choices;
    private final PreparedSql sql = new PreparedSql();
    private @Nullable Connection connection;
    /** Whether repeatable read is a higher isolation than the database's default, and transactions can be raised to it. */
    private boolean raises;

    /** Makes the transactions of a client whose driver begins them. */
    public Transactions(Opening opening, MeasuredOperations recording, Told told, Choices choices) {
        this(opening, Beginning.BY_DRIVER, recording, told, choices);
    }

    public Transactions(
            Opening opening, Beginning beginning, MeasuredOperations recording, Told told, Choices choices) {
        this.opening = opening;
        this.beginning = beginning;
        this.recording = recording;
        this.told = told;
        this.choices = choices;
    }

    public void connect() throws SQLException {
        Connection opened = opening.open();
        raises = beginning == Beginning.BY_DRIVER
                && opened.getTransactionIsolation() < Connection.TRANSACTION_REPEATABLE_READ;
        opened.setAutoCommit(beginning == Beginning.BY_STATEMENTS);
        connection = opened;
        sql.use(opened);
    }

    /** Returns the connection for statements, now and after a connection was lost. */
    public PreparedSql sql() {
        return sql;
    }

    /** Performs a transaction that is repeatable if it is an update. */
    public <T> Optional<T> perform(int kind, boolean readOnly, Body<T> body) {
        return perform(kind, readOnly, !readOnly, body);
    }

    /**
     * Performs a transaction.
     *
     * @param repeatable whether it runs under repeatable read, whatever the database's default
     * @return the transaction's result; empty when it was given up
     */
    public <T> Optional<T> perform(int kind, boolean readOnly, boolean repeatable, Body<T> body) {
        choices.begin();
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                T result = attempt(readOnly, repeatable, body);
                recording.completed(kind, begin, System.nanoTime());
                return Optional.of(result);
            } catch (SQLException e) {
                String state = String.valueOf(e.getSQLState());
                if (e instanceof WrongAnswerException) {
                    told.wrong();
                }
                if (CONFLICTS.contains(state) && attempt < MOST_ATTEMPTS && rolledBack()) {
                    recording.retried(kind, System.nanoTime());
                    choices.repeat();
                    giveWay(attempt);
                    continue;
                }
                recording.failed(kind, state + " " + firstLine(e));
                recover();
                return Optional.empty();
            }
        }
    }

    private <T> T attempt(boolean readOnly, boolean repeatable, Body<T> body) throws SQLException {
        Connection open = connection;
        if (open == null) {
            throw new SQLException("not connected", "08003");
        }
        open.setReadOnly(readOnly);
        sql.begin(beginning.statement(readOnly), raises && repeatable);
        T result = body.run(sql);
        try {
            open.commit();
        } catch (SQLException e) {
            // A refusal means that the transaction did not commit; the end of a connection leaves this open.
            String state = String.valueOf(e.getSQLState());
            if (!readOnly && (state.startsWith("08") || state.startsWith("57"))) {
                told.unanswered();
            }
            throw e;
        }
        // Without any statement there is no database transaction: the driver sends no BEGIN.
        if (sql.statements() > 0) {
            recording.committed(System.nanoTime());
        }
        return result;
    }

    private static void giveWay(int attempt) {
        if (attempt > ATTEMPTS_AT_ONCE) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong((attempt - ATTEMPTS_AT_ONCE) * STEP_NANOS));
        }
    }

    private boolean rolledBack() {
        try {
            if (connection != null) {
                connection.rollback();
            }
            return connection != null;
        } catch (SQLException e) {
            return false;
        }
    }

    private void recover() {
        if (rolledBack()) {
            return;
        }
        disconnect();
        try {
            Thread.sleep(PAUSE_MILLIS);
            connect();
        } catch (SQLException notYet) {
            connection = null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public void disconnect() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // The connection is lost either way.
            return;
        } finally {
            connection = null;
        }
    }

    private static String firstLine(SQLException e) {
        // Connector/J begins with the number of the connection.
        return String.valueOf(e.getMessage())
                .replaceFirst("^\\(conn=\\d+\\) ", "")
                .lines()
                .findFirst()
                .orElse("");
    }
}
