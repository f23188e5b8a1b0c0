package io.multimed.endpoint.pg.session;

import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of the session's transaction block, if it has one; predicted from what was sent. */
final class TransactionBlock {
    private boolean open;
    private boolean readOnly;
    private Isolation isolation = Isolation.READ_COMMITTED;
    private boolean snapshotTaken;
    private boolean movable;
    private boolean committing;

    /** Whether statements sent so far have opened a block and not yet ended it. */
    boolean isOpen() {
        return open;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    Isolation isolation() {
        return isolation;
    }

    /** Whether the open block has taken its first snapshot. */
    boolean hasSnapshot() {
        return open && snapshotTaken;
    }

    /** Whether the next statement takes a new snapshot. */
    boolean takesNewSnapshot() {
        return isolation.compareTo(Isolation.READ_COMMITTED) <= 0 || !snapshotTaken;
    }

    /** Whether the block can begin again on another node without anybody noticing. */
    boolean isMovable() {
        return movable && takesNewSnapshot();
    }

    /** Whether what was sent last may commit. */
    boolean isCommitting() {
        return committing;
    }

    /** A portal stays open between units: it exists on this node alone. */
    void keepsPortal() {
        movable = false;
    }

    /** The engine was told to run the open block under REPEATABLE READ. */
    void underRepeatableRead() {
        isolation = Isolation.REPEATABLE_READ;
    }

    /**
     * The statements of a unit are being sent.
     *
     * @param failed the block has failed: what is chained to it then begins with the session's defaults, since the engine
     *     has undone its characteristics with it
     */
    void sent(List<Statement> statements, SessionDefaults defaults, boolean failed) {
        committing = !open;
        for (Statement statement : statements) {
            sent(statement, defaults, failed);
        }
    }

    private void sent(Statement statement, SessionDefaults defaults, boolean failed) {
        switch (statement) {
            case Statement.Begin begin
            when !open ->
                begin(
                        begin.isolation().orElse(defaults.isolation()),
                        begin.readOnly().orElse(defaults.readOnly()));
            case Statement.SetTransaction set
            when open -> {
                isolation = set.isolation().orElse(isolation);
                readOnly = set.readOnly().orElse(readOnly);
                movable = movable && !set.importsSnapshot();
            }
            case Statement.Commit commit -> {
                committing = true;
                end(commit.chain(), failed ? defaults : null);
            }
            case Statement.Rollback rollback -> end(rollback.chain(), failed ? defaults : null);
            case Statement.PrepareTransaction ignored -> {
                committing = true;
                end(false, null);
            }
            case Statement.Read ignored -> snapshotTaken = open;
            case Statement.Empty ignored -> {}
            case Statement.Begin ignored -> {}
            case Statement.Show ignored -> {}
            default -> {
                snapshotTaken = open;
                movable = false;
            }
        }
    }

    private void begin(Isolation level, boolean isReadOnly) {
        open = true;
        readOnly = isReadOnly;
        isolation = level;
        snapshotTaken = false;
        movable = true;
    }

    private void end(boolean chain, @Nullable SessionDefaults afterFailure) {
        if (chain && open && afterFailure != null) {
            begin(afterFailure.isolation(), afterFailure.readOnly());
        } else if (chain && open) {
            begin(isolation, readOnly);
        } else {
            open = false;
        }
    }

    /** The engine says that no transaction is open. */
    void idle() {
        open = false;
        committing = false;
    }

    /** The engine says that a transaction is open. */
    void inBlock() {
        committing = false;
        if (!open) {
            // Begun by something that was not understood: nothing may be assumed of it.
            begin(Isolation.READ_COMMITTED, false);
            movable = false;
        }
    }

    /** The statement that begins such a block again elsewhere. */
    String beginSql() {
        return "BEGIN ISOLATION LEVEL " + isolation.sql() + (readOnly ? " READ ONLY" : " READ WRITE");
    }
}
