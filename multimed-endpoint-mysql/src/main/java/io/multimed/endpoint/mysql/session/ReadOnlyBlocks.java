package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.ServerStatus;
import io.multimed.sql.mysql.MysqlStatement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session's transactions that are READ ONLY, one after the other: their start on the Master, the move from one engine to the other, and
 * the end on both.
 */
final class ReadOnlyBlocks {
    /** The step that a statement needs which starts a transaction. */
    enum Start {
        /** The Master can execute it. */
        MASTER,
        /** The session's variables have to be known. */
        SETTLE,
        /** A Satellite takes the snapshot, then the session goes on. */
        WAITS
    }

    private final MysqlSession session;
    private final SatelliteReads satellites;
    private final Runnable goOn;

    private @Nullable ReadOnlyBlock present;
    /** The transaction that the present statement starts. */
    private @Nullable ReadOnlyBlock starting;
    /** Whether the next one has to read on the Master, where one has failed before. */
    private boolean nextOnMaster;
    /** Whether one is being ended on its Satellite. */
    private boolean ending;
    /** Whether Multimed has started one for the present command, and given it up. */
    private boolean triedUnseen;
    /** Whether the Master's last command has found a transaction open. */
    private boolean wasOpen;

    /** @param goOn continues with the present command */
    ReadOnlyBlocks(MysqlSession session, SatelliteReads satellites, Runnable goOn) {
        this.session = session;
        this.satellites = satellites;
        this.goOn = goOn;
    }

    /** Returns the present transaction; null outside of one that is READ ONLY. */
    @Nullable
    ReadOnlyBlock present() {
        if (present != null && session.state().isSettled() && !session.state().isInTransaction()) {
            leave(present);
            present = null;
        }
        return present;
    }

    /** Whether a connection to a Satellite is busy with the end of a transaction. */
    boolean isEnding() {
        return ending;
    }

    /** Prepares for the next command. A transaction that was to start, and has not, is given up. */
    void next() {
        leave(starting);
        starting = null;
        triedUnseen = false;
    }

    /** Begins anew: the connections to Satellites are closed. */
    void clear() {
        present = null;
        starting = null;
        nextOnMaster = false;
    }

    /**
     * Begins the start of a transaction, which may be READ ONLY. If its snapshot is taken with it, a Satellite takes it first.
     *
     * @param declared whether the statement says that it is READ ONLY
     * @param isSpecial whether the session has set something for this transaction alone
     */
    Start start(MysqlStatement.Boundary boundary, boolean declared, boolean isSpecial) {
        ReadOnlyBlock started = starting;
        if (started == null) {
            started = new ReadOnlyBlock(false);
            starting = started;
            if (nextOnMaster
                    || session.state().pinned() != null
                    || satellites.choices().areOnMaster()
                    || !satellites.arePossible()) {
                started.moveToMaster();
            }
        }
        if (boundary != MysqlStatement.Boundary.STARTS_WITH_SNAPSHOT
                || started.isOnMaster()
                || started.satellite() != null) {
            return Start.MASTER;
        }
        if (!declared || isSpecial || present != null || session.state().pinned() != null) {
            started.moveToMaster();
            return Start.MASTER;
        }
        if (!session.state().isSettled()) {
            return Start.SETTLE;
        }
        decide(started);
        if (!started.keepsSnapshot()) {
            return Start.MASTER;
        }
        if (satellites.areTold() && satellites.takeSnapshot(started)) {
            return Start.WAITS;
        }
        // The Master takes its snapshot now, so it is too late for one of a Satellite afterwards.
        started.moveToMaster();
        return Start.MASTER;
    }

    /**
     * Whether a read outside of transactions, without autocommit, begins one that is READ ONLY and can read on a Satellite.
     *
     * @param database in which it finds its tables
     */
    boolean canStartUnseen(MysqlStatement statement, byte[] database) {
        MysqlVariables variables = session.state().variables();
        return !triedUnseen
                && !nextOnMaster
                && !satellites.choices().areOnMaster()
                && !session.state().isInTransaction()
                && variables.areTransactionsReadOnly()
                && (variables.isIsolation("REPEATABLE-READ") || variables.isIsolation("READ-COMMITTED"))
                // Without a table a query begins no transaction.
                && !statement.tables().isEmpty()
                && satellites.areTold()
                && satellites.areUnderstood(statement, database);
    }

    /** Starts, on the Master, the transaction that the client's read would start there by itself. */
    void startUnseen() {
        triedUnseen = true;
        MysqlOwnStatements.execute(
                session.master(), session.masterCapabilities(), List.of("START TRANSACTION READ ONLY"), answers -> {
                    if (answers == null) {
                        session.closed();
                        return;
                    }
                    session.state().status(answers.get(0).status());
                    if (answers.get(0).error() == null) {
                        present = new ReadOnlyBlock(true);
                    }
                    goOn.run();
                });
    }

    /** Gives up a transaction of which the client does not know. */
    private void leaveUnseen(ReadOnlyBlock block) {
        present = null;
        satellites
                .own()
                .endBlock(
                        block,
                        () -> MysqlOwnStatements.execute(
                                session.master(),
                                session.masterCapabilities(),
                                // Whatever completion_type says.
                                List.of("ROLLBACK AND NO CHAIN NO RELEASE"),
                                answers -> {
                                    if (answers == null) {
                                        session.closed();
                                        return;
                                    }
                                    session.state().status(answers.get(0).status());
                                    goOn.run();
                                }));
    }

    /** Finds out under which isolation level a transaction reads. The session's variables must be known. */
    void decide(ReadOnlyBlock block) {
        MysqlVariables variables = session.state().variables();
        if (block.isDecided()) {
            return;
        }
        if (variables.isIsolation("REPEATABLE-READ")) {
            block.decide(true);
        } else if (variables.isIsolation("READ-COMMITTED")) {
            block.decide(false);
        } else {
            block.moveToMaster();
        }
    }

    /**
     * Prepares for a command that the Master is to execute.
     *
     * @param readsNoRows whether the Master can execute it whatever its snapshot is
     * @return false if it is refused, or the session goes on with it later
     */
    boolean mayGoToMaster(boolean readsNoRows) {
        ReadOnlyBlock block = present;
        wasOpen = session.state().isInTransaction();
        if (block != null && block.isUnseen()) {
            leaveUnseen(block);
            return false;
        }
        if (block == null || block.isOnMaster() || block.isOfStatements() || readsNoRows) {
            return true;
        }
        if (block.isBound()) {
            nextOnMaster = true;
            rollBack(block, MysqlErrors.BOUND_TO_SATELLITE);
        } else {
            satellites.own().endBlock(block, () -> {
                block.moveToMaster();
                goOn.run();
            });
        }
        return false;
    }

    /**
     * Finds out, after a statement on the Master, whether it has started or ended a transaction that is READ ONLY.
     *
     * @param isSpecial whether something else than READ ONLY was set for this transaction alone
     * @return whether one has started
     */
    boolean masterReplied(MysqlStatement.Boundary boundary, MasterExchange reply, boolean isSpecial) {
        ReadOnlyBlock started = starting;
        starting = null;
        int status = reply.status();
        boolean isOpen = ServerStatus.has(status, ServerStatus.IN_TRANSACTION)
                && ServerStatus.has(status, ServerStatus.IN_READ_ONLY_TRANSACTION);
        if (!reply.hasSucceeded()) {
            leave(started);
            return false;
        }
        if (boundary == MysqlStatement.Boundary.NONE) {
            if (!isOpen) {
                end(present);
                present = null;
            }
            return false;
        }
        if (boundary == MysqlStatement.Boundary.ENDS
                && wasOpen
                && !session.state().isAutocommit()) {
            // The next one begins without a word.
            nextOnMaster = false;
        }
        end(present);
        present = null;
        if (started == null || !isOpen) {
            leave(started);
            return false;
        }
        present = started;
        if (isSpecial) {
            started.moveToMaster();
        }
        nextOnMaster = false;
        return true;
    }

    /**
     * Records that the Master has executed a statement that may have ended the transaction. Without autocommit it may have begun another
     * one, which looks the same.
     */
    void mayBeAnother() {
        ReadOnlyBlock block = present;
        if (block != null && !session.state().isAutocommit()) {
            end(block);
            block.moveToMaster();
        }
    }

    /** Goes on after the reply of a Satellite. If that has ended, so has the transaction, as after a deadlock. */
    void satelliteReplied(ReadOnlyBlock block) {
        SatelliteConnection satellite = block.satellite();
        if (satellite != null && satellite.isOpen()) {
            session.ready();
        } else {
            rollBack(block, null);
        }
    }

    /** Ends a transaction on its Satellite. The client's next command may need the connection. */
    private void end(@Nullable ReadOnlyBlock over) {
        if (over != null && over.satellite() != null) {
            ending = true;
            satellites.own().endBlock(over, () -> {
                ending = false;
                session.client().readOnAgain();
            });
        }
    }

    /** Gives up a transaction that is over on the Master. */
    private static void leave(@Nullable ReadOnlyBlock over) {
        SatelliteConnection satellite = over == null ? null : over.satellite();
        if (satellite != null) {
            // It has not been ended there, so the connection cannot be used again.
            satellite.close();
        }
    }

    /** @param error that the client is told; null if it has been told one */
    private void rollBack(ReadOnlyBlock block, @Nullable ErrMessage error) {
        present = null;
        satellites
                .own()
                .endBlock(
                        block,
                        () -> MysqlOwnStatements.execute(
                                session.master(), session.masterCapabilities(), List.of("ROLLBACK"), answers -> {
                                    if (answers == null) {
                                        session.closed();
                                        return;
                                    }
                                    session.state().status(answers.get(0).status());
                                    if (error != null) {
                                        ByteBuf out = session.client().alloc().buffer();
                                        MysqlErrors.write(out, 1, error);
                                        session.client().write(out);
                                        session.client().flush();
                                    }
                                    session.ready();
                                }));
    }
}
