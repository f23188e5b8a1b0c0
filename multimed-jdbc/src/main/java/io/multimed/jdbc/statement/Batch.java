package io.multimed.jdbc.statement;

import io.multimed.engine.embedded.TransactionErrors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlText;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batch of one statement. The engine collects its elements and executes them together, on the Master. They are executed one by
 * one only if definitions or transaction control are among them, or if statements are repeated on Satellites.
 */
final class Batch {
    /** An element that is executed by itself. Returns the number of rows that it has changed. */
    @FunctionalInterface
    interface Element {
        long execute() throws SQLException;
    }

    private final LogicalStatement statement;
    private final DriverSession session;
    /** The texts that were added; null if there are none. A prepared statement's batch has no texts. */
    private @Nullable List<SqlText> texts;
    /** The physical statement on which the engine began to collect elements. */
    private @Nullable Statement gatheredOn;

    Batch(LogicalStatement statement) {
        this.statement = statement;
        session = statement.session;
    }

    void add(String sql) throws SQLException {
        if (!session.propagation().records()) {
            Statement physical = statement.on(session.master());
            physical.addBatch(sql);
            added(physical);
        }
        List<SqlText> known = texts;
        if (known == null) {
            known = new ArrayList<>();
            texts = known;
        }
        // For a null text the engine throws its error now or when it executes the batch.
        known.add(session.recognise(sql == null ? "" : sql));
    }

    /** Notes that an element without a text was added on this physical statement. */
    void added(@Nullable Statement physical) {
        if (gatheredOn == null) {
            gatheredOn = physical;
        }
    }

    void clear() throws SQLException {
        texts = null;
        Statement gathered = gatheredOn;
        gatheredOn = null;
        // The statement with the elements need not be the one that ran last: a read may have run on a Satellite
        // meanwhile.
        if (gathered != null && !gathered.isClosed()) {
            gathered.clearBatch();
        }
    }

    int[] execute() throws SQLException {
        List<Element> single = takeSingle();
        if (single != null) {
            return oneByOne(single);
        }
        int[][] counts = new int[1][];
        asOne((self, physical, sql) -> {
            counts[0] = physical.executeBatch();
            return 0;
        });
        return counts[0];
    }

    long[] executeLarge() throws SQLException {
        List<Element> single = takeSingle();
        if (single != null) {
            return Arrays.stream(oneByOne(single)).asLongStream().toArray();
        }
        long[][] counts = new long[1][];
        asOne((self, physical, sql) -> {
            counts[0] = physical.executeLargeBatch();
            return 0;
        });
        return counts[0];
    }

    /** Returns the elements if each must be executed by itself; null if the engine executes the elements it has collected. */
    private @Nullable List<Element> takeSingle() throws SQLException {
        List<SqlText> added = texts == null ? List.of() : texts;
        texts = null;
        if (!session.propagation().records()) {
            if (added.stream().noneMatch(text -> text.kind().isSpecial())) {
                return null;
            }
            clear();
        }
        return added.stream()
                .<Element>map(text -> () -> statement.run(text, Execution.UPDATE))
                .toList();
    }

    private void asOne(Execution execution) throws SQLException {
        session.inTurn(() -> inTurn(execution));
    }

    private void inTurn(Execution execution) throws SQLException {
        statement.begin();
        Statement gathered = gatheredOn;
        gatheredOn = null;
        Connection node;
        try {
            node = session.enter(statement.batchText(), true);
        } catch (SQLException e) {
            forget(gathered, e);
            throw e;
        }
        try {
            Statement physical = statement.on(node);
            if (gathered != null && gathered != physical) {
                physical.clearBatch();
                throw new SQLTransientConnectionException(
                        "The connection on which the batch was gathered was lost: add its elements again.", "08006");
            }
            execution.on(statement, statement.delegate(), "");
        } catch (SQLException e) {
            throw ((DriverSession.Thrown) session.failed(withoutWhatIsUndone(e))).error();
        }
        session.leave();
    }

    /** Removes elements that the engine was not asked to execute, so that they are not executed with the next batch. */
    private static void forget(@Nullable Statement gathered, SQLException why) {
        try {
            if (gathered != null) {
                gathered.clearBatch();
            }
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    /**
     * Returns the error without elements that were undone. An engine that rolls the transaction back in the middle of a batch,
     * because of a deadlock, also undoes elements that it reports as executed, and may go on with later ones. For the application
     * each element is a transaction of its own, so all are undone and reported as undone.
     */
    private SQLException withoutWhatIsUndone(SQLException error) throws SQLException {
        SQLException rollback = TransactionErrors.rollback(error);
        if (rollback == null || !(error instanceof BatchUpdateException failed) || !session.joinsBatches()) {
            return error;
        }
        try {
            session.rollback();
        } catch (SQLException e) {
            return e;
        }
        boolean all = session.errors().goesOnAfterFailureInBatch();
        int[] counts = new int[all ? failed.getUpdateCounts().length : 0];
        Arrays.fill(counts, Statement.EXECUTE_FAILED);
        return new BatchUpdateException(
                rollback.getMessage(), rollback.getSQLState(), rollback.getErrorCode(), counts, error);
    }

    /** Executes the elements as the engine would, but each by itself. */
    int[] oneByOne(List<Element> elements) throws SQLException {
        int[] counts = new int[elements.size()];
        SQLException first = null;
        for (int i = 0; i < counts.length; i++) {
            try {
                counts[i] = (int) elements.get(i).execute();
            } catch (SQLException e) {
                if (!session.errors().goesOnAfterFailureInBatch()) {
                    throw new BatchUpdateException(
                            e.getMessage(), e.getSQLState(), e.getErrorCode(), Arrays.copyOf(counts, i), e);
                }
                counts[i] = Statement.EXECUTE_FAILED;
                if (first == null) {
                    first = e;
                } else {
                    first.setNextException(e);
                }
            }
        }
        if (first != null) {
            throw new BatchUpdateException(
                    first.getMessage(), first.getSQLState(), first.getErrorCode(), counts, first);
        }
        return counts;
    }
}
