package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the session's transaction block, predicted from the statements sent.
 *
 * <p>It has more fields than other classes, since it has one for each fact that is known of the block, and a statement sent
 * changes several of them together.
 */
public final class TransactionBlock {
    private boolean open;
    /** Number of blocks that have begun. */
    private long number;

    /** Whether the block may have ended or begun anew, with unknown characteristics. */
    private boolean uncertain;
    /** Whether the unit that begins the block may fail before its BEGIN, and has not been answered. */
    private boolean unsure;
    /** Whether the unit sent last ends the block and contains other statements too. */
    private boolean endsAmongOthers;

    private BlockCourse course = BlockCourse.NONE;
    private boolean movable;
    private boolean portalUnderWay;
    private boolean committing;
    private final OpenSavepoints savepoints = new OpenSavepoints();
    private final BlockSettings settings = new BlockSettings();
    private final UndeclaredBlock undeclared;
    private final HoldersOfBlock holders;

    /**
     * Creates the state; no block is open.
     *
     * @param undeclared is told of the course of blocks
     * @param holders is told of all statements of blocks
     */
    public TransactionBlock(UndeclaredBlock undeclared, HoldersOfBlock holders) {
        this.undeclared = undeclared;
        this.holders = holders;
    }

    /** The partial Satellites that hold all that the block needs. */
    public HoldersOfBlock holders() {
        return holders;
    }

    /** Whether statements sent so far have opened a block and not yet ended it. */
    public boolean isOpen() {
        return open;
    }

    /** A number that differs for each block; of the latest one if none is open. */
    public long number() {
        return number;
    }

    /** Whether no block is open. */
    public boolean isIdle() {
        return !open;
    }

    /** Notes that the unit which begins the block may fail before its BEGIN. */
    public void mayNotBegin() {
        unsure = true;
    }

    /** Whether only the replies to the unit sent show if a block is open: the unit may fail before its BEGIN. */
    public boolean isUnsure() {
        return unsure;
    }

    /** Whether the block is READ ONLY; if none is open, whether the latest one was. */
    public boolean isReadOnly() {
        return course.readOnly();
    }

    /** Its isolation level, or that of the latest block if none is open. */
    public Isolation isolation() {
        return course.isolation();
    }

    /** Whether the open block has taken its first snapshot. */
    public boolean hasSnapshot() {
        return open && course.queried();
    }

    /** Whether the next statement takes a new snapshot. */
    public boolean takesNewSnapshot() {
        return course.isolation().compareTo(Isolation.READ_COMMITTED) <= 0 || !course.queried();
    }

    /** Whether the block can begin again on another node without the client noticing. */
    public boolean isMovable() {
        return movable && !portalUnderWay && takesNewSnapshot();
    }

    /** Whether the open block has set the parameter of this name to a value (true) or to its default (false); null if neither. */
    public @Nullable Boolean sets(String name) {
        return open ? settings.sets(name) : null;
    }

    /** Notes that the engine with the savepoints is gone. */
    void loseSavepoints() {
        savepoints.lose();
    }

    /** Whether it cannot roll back to a savepoint, since the engine with the savepoint is gone. */
    public boolean hasLostSavepoints() {
        return open && savepoints.areLost();
    }

    /** Names of the parameters that the open block has set. */
    public Set<String> settingNames() {
        return open ? settings.names() : Set.of();
    }

    /** Whether the unit sent last may commit. */
    public boolean isCommitting() {
        return committing;
    }

    /** Sets whether a portal, which exists only on this node, is bound and about to be executed. */
    public void portalIsUnderWay(boolean now) {
        portalUnderWay = now;
    }

    /** Notes that a portal, which exists only on this node, stays open between units. */
    public void keepsPortal() {
        movable = false;
    }

    /** Notes that the engine runs the open block under REPEATABLE READ. */
    void underRepeatableRead() {
        course = course.under(Isolation.REPEATABLE_READ);
    }

    /**
     * Notes the statements of a unit that are being sent.
     *
     * @param failed whether the block has failed; a block chained to it then begins with the session's defaults, since the engine
     *     has undone its characteristics, except for those that it got by being chained itself
     */
    public void sent(List<Statement> statements, SessionDefaults defaults, boolean failed) {
        committing = !open;
        endsAmongOthers = false;
        boolean stillFailed = failed;
        for (Statement statement : statements) {
            boolean wasOpen = open;
            sent(statement, defaults, stillFailed);
            unsure |= open && !wasOpen && !statement.equals(statements.getFirst());
            if (statement.endsTransaction()) {
                stillFailed = false;
                endsAmongOthers = statements.size() > 1;
            }
        }
    }

    private void sent(Statement statement, SessionDefaults defaults, boolean failed) {
        if (open) {
            holders.executes(statement);
        }
        switch (statement) {
            case Statement.Begin begin
            when !open -> {
                undeclared.begins(begin);
                beginAlone(
                        begin.isolation().orElse(defaults.isolation()),
                        begin.readOnly().orElse(defaults.readOnly()),
                        begin.deferrable());
            }
            case Statement.SetTransaction set
            when open -> {
                course = course.set(set.isolation(), set.readOnly(), set.deferrable());
                movable = movable && !set.importsSnapshot();
            }
            case Statement.Commit commit -> {
                committing = true;
                settings.end(!failed);
                end(commit.chain(), failed ? defaults : null);
            }
            case Statement.Rollback rollback -> {
                settings.end(false);
                end(rollback.chain(), failed ? defaults : null);
            }
            case Statement.PrepareTransaction ignored -> {
                committing = true;
                end(false, null);
            }
            case Statement.Read read -> {
                if (open) {
                    undeclared.reads(read);
                    queried();
                }
            }
            case Statement.Empty ignored -> {}
            // Within a block, BEGIN gives a warning and sets the characteristics that it names.
            case Statement.Begin begin -> course = course.set(begin.isolation(), begin.readOnly(), begin.deferrable());
            case Statement.Show ignored -> {}
            case Statement.Savepoint savepoint -> {
                if (open && !failed) {
                    savepoints.add(savepoint.name());
                }
                queried();
                movable = false;
                undeclared.needsMaster();
            }
            case Statement.Release release -> {
                if (!failed) {
                    savepoints.release(release.savepoint());
                }
                queried();
                movable = false;
            }
            case Statement.RollbackTo back -> {
                settings.rollBackTo();
                savepoints.rollBackTo(back.savepoint());
                queried();
                movable = false;
            }
            case Statement.Set setting
            when open -> {
                // SET takes no snapshot.
                settings.set(setting);
                undeclared.needsMaster();
                String again = setting.sql();
                if (again == null) {
                    movable = false;
                } else {
                    course = course.with(again);
                }
            }
            default -> {
                queried();
                movable = false;
                settings.executed(statement.effect());
                if (open) {
                    undeclared.needsMaster();
                }
            }
        }
    }

    private void queried() {
        if (open) {
            course = course.isQueried();
        }
    }

    private void beginAlone(Isolation level, boolean isReadOnly, Optional<Boolean> isDeferrable) {
        begin(level, isReadOnly, isDeferrable);
        settings.begin();
    }

    private void begin(Isolation level, boolean isReadOnly, Optional<Boolean> isDeferrable) {
        open = true;
        holders.begins();
        number++;
        uncertain = false;
        unsure = false;
        course = BlockCourse.begun(level, isReadOnly, isDeferrable);
        movable = true;
        savepoints.clear();
    }

    private void end(boolean chain, @Nullable SessionDefaults afterFailure) {
        undeclared.ends();
        holders.ends();
        if (!chain || !open) {
            open = false;
            return;
        }
        BlockCourse next = afterFailure == null ? course : chainedToFailure(afterFailure);
        boolean stillUncertain = uncertain;
        begin(next.isolation(), next.readOnly(), next.deferrable());
        course = course.next();
        uncertain = stillUncertain;
        settings.chain();
        // Until the engine is asked, only it knows which settings an earlier part of the chain has made.
        movable = !uncertain && !settings.areChanged();
    }

    /** The course of a block that is chained to this one after a failure, or after the failure of a subtransaction. */
    public BlockCourse chainedToFailure(SessionDefaults defaults) {
        if (!savepoints.isEmpty()) {
            // Only the subtransaction has failed by then.
            return course;
        }
        BlockCourse chained = course.chained();
        return chained != null
                ? chained
                : BlockCourse.begun(defaults.isolation(), defaults.readOnly(), Optional.empty());
    }

    /** Notes that the engine reports no open transaction. */
    public void idle() {
        open = false;
        unsure = false;
        committing = false;
    }

    /** Notes that the engine reports an open transaction. */
    public void inBlock() {
        committing = false;
        unsure = false;
        if (!open) {
            // A statement that was not understood has begun the block, so its characteristics are unknown.
            beginAlone(Isolation.READ_COMMITTED, false, Optional.empty());
            movable = false;
        }
    }

    /** Notes that the unit sent last has failed, before or behind an end of the block that it contains. */
    public void unitFailed() {
        if (endsAmongOthers) {
            uncertain = true;
            movable = false;
        }
    }

    /**
     * Notes that the engine has reported a failed transaction.
     *
     * @param drained whether it has answered all messages sent
     */
    public void failed(boolean drained) {
        settings.fail(drained);
    }

    /** Settings that the latest block, and those to which it is chained, have committed, by name; null if they are not known. */
    public @Nullable Map<String, @Nullable String> leftSettings() {
        return settings.left();
    }

    /** Notes that all messages sent have been answered. */
    public void answered() {
        settings.answered();
    }

    /** Forgets the settings of the latest block, because they are known or nothing of them is left. */
    public void leftNothing() {
        settings.leftNothing();
    }

    /** The information that is needed to begin the block anew in its present state. */
    public BlockCourse course() {
        return course;
    }

    /** Restores an earlier state, because the unit sent has had no effect on the block. */
    public void was(BlockCourse before) {
        course = before;
    }
}
