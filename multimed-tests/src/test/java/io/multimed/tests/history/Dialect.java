package io.multimed.tests.history;

import io.multimed.tests.history.HistorySession.Failed;
import java.util.List;

/** The SQL of the workload where engines differ. */
interface Dialect {
    /** Returns the forms of transactions that the engine has. */
    List<Writer.Form> forms();

    /** Changes a register and adds an entry, by one statement that is its own transaction. */
    void changeAtOnce(HistorySession session, long id, int register) throws Failed;

    /** Returns a block of the engine's procedural language that makes the changes and commits them. */
    String procedure(String changes);

    /** Returns statements that prepare a transaction with the changes. */
    String prepare(String changes, int writer, long id);

    /** Returns the statement that commits the prepared transaction. */
    String commitPrepared(int writer, long id);

    /** Rolls back all transactions that the writer has prepared and that are not decided. */
    void rollBackPrepared(HistorySession session, int writer) throws Failed;

    /** Returns the query in a form after which no other transaction can overwrite the rows that it has read. */
    String beforeOverwriting(String query);

    /** Whether an error of COMMIT means that it did not happen. */
    boolean settled(String sqlState);
}
