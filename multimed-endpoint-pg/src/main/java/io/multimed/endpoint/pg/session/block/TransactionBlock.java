package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.sql.Isolation;
import io.multimed.sql.NotRead;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of the session's transaction block, predicted from the statements sent. */
public final class TransactionBlock {
    /**
     * The information that is needed to begin the block anew.
     *
     * @param deferrable absent: the session's default applies
     * @param chained the characteristics that the block got by AND CHAIN; a failure does not undo them, but undoes those of BEGIN
     *     or SET TRANSACTION; null if the block was not chained
     * @param queried whether it has taken its first snapshot, or may have
     * @param settings the statements by which it has set parameters, each behind a semicolon
     */
    public record Course(
            Isolation isolation,
            boolean readOnly,
            Optional<Boolean> deferrable,
            @Nullable Course chained,
            boolean queried,
            String settings) {
        public static final Course NONE = begun(Isolation.READ_COMMITTED, false, Optional.empty());

        static Course begun(Isolation isolation, boolean readOnly, Optional<Boolean> deferrable) {
            return new Course(isolation, readOnly, deferrable, null, false, "");
        }

        Course isQueried() {
            return queried ? this : new Course(isolation, readOnly, deferrable, chained, true, settings);
        }

        /** The course of a block that is chained to this one. */
        Course next() {
            return new Course(isolation, readOnly, deferrable, begun(isolation, readOnly, deferrable), false, "");
        }

        Course under(Isolation level) {
            return new Course(level, readOnly, deferrable, chained, queried, settings);
        }

        Course set(Optional<Isolation> level, Optional<Boolean> isReadOnly, Optional<Boolean> isDeferrable) {
            return new Course(
                    level.orElse(isolation),
                    isReadOnly.orElse(readOnly),
                    isDeferrable.or(() -> deferrable),
                    chained,
                    queried,
                    settings);
        }

        /**
         * Adds a statement.
         *
         * @param sql a statement that sets a parameter
         */
        Course with(String sql) {
            return new Course(isolation, readOnly, deferrable, chained, queried, settings + "; " + sql);
        }

        /** The same course without the parameters that it has set. */
        Course withoutSettings() {
            return new Course(isolation, readOnly, deferrable, chained, queried, "");
        }

        /**
         * Returns the SQL that begins the block anew. If the block has taken its first snapshot, the SQL ends with a query, so that
         * statements that must precede any query come too late, as they would have.
         */
        String sql() {
            Course before = chained;
            String sql;
            if (before == null) {
                sql = new Statement.Begin("BEGIN", Optional.of(isolation), Optional.of(readOnly), deferrable).sql();
            } else {
                sql = before.sql() + "; COMMIT AND CHAIN";
                if (isolation != before.isolation
                        || readOnly != before.readOnly
                        || !deferrable.equals(before.deferrable)) {
                    sql += "; " + setTransaction();
                }
            }
            sql += settings;
            return queried ? sql + "; SELECT" : sql;
        }

        private String setTransaction() {
            return new Statement.SetTransaction(Optional.of(isolation), Optional.of(readOnly), deferrable, false).sql();
        }
    }

    private boolean open;
    /** Whether the block may have ended or begun anew, with unknown characteristics. */
    private boolean uncertain;
    /** Whether the unit sent last ends the block and contains other statements too. */
    private boolean endsAmongOthers;

    private Course course = Course.NONE;
    private boolean movable;
    private boolean portalUnderWay;
    private boolean committing;
    /** Whether the block, or a block to which it is chained, has set parameters. The engine is asked for the result at the end. */
    private boolean leavesSettings;
    /** Names of the open savepoints, from the first to the last. */
    private final List<String> savepoints = new ArrayList<>(0);

    private final LeftSettings left = new LeftSettings();
    /** Whether it had savepoints on an engine that is gone. */
    private boolean lostSavepoints;
    /** Parameters set within the open block: true for a value, false for the default. */
    private final Map<String, Boolean> set = new HashMap<>(0);

    /** Whether statements sent so far have opened a block and not yet ended it. */
    public boolean isOpen() {
        return open;
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
        return open ? set.get(name) : null;
    }

    /** Notes that the engine with the savepoints is gone. */
    void loseSavepoints() {
        lostSavepoints |= !savepoints.isEmpty();
        savepoints.clear();
    }

    /** Whether it cannot roll back to a savepoint, since the engine with the savepoint is gone. */
    public boolean hasLostSavepoints() {
        return open && lostSavepoints;
    }

    /** Names of the parameters that the open block has set. */
    public Set<String> settingNames() {
        return open ? set.keySet() : Set.of();
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
            sent(statement, defaults, stillFailed);
            if (statement.endsTransaction()) {
                stillFailed = false;
                endsAmongOthers = statements.size() > 1;
            }
        }
    }

    private void sent(Statement statement, SessionDefaults defaults, boolean failed) {
        switch (statement) {
            case Statement.Begin begin
            when !open ->
                beginAlone(
                        begin.isolation().orElse(defaults.isolation()),
                        begin.readOnly().orElse(defaults.readOnly()),
                        begin.deferrable());
            case Statement.SetTransaction set
            when open -> {
                course = course.set(set.isolation(), set.readOnly(), set.deferrable());
                movable = movable && !set.importsSnapshot();
            }
            case Statement.Commit commit -> {
                committing = true;
                left.end(!failed);
                end(commit.chain(), failed ? defaults : null);
            }
            case Statement.Rollback rollback -> {
                left.end(false);
                end(rollback.chain(), failed ? defaults : null);
            }
            case Statement.PrepareTransaction ignored -> {
                committing = true;
                end(false, null);
            }
            case Statement.Read ignored -> queried();
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
            }
            case Statement.Release release -> {
                if (!failed) {
                    endSavepoints(release.savepoint(), false);
                }
                queried();
                movable = false;
            }
            case Statement.RollbackTo back -> {
                left.rollBackTo();
                endSavepoints(back.savepoint(), true);
                queried();
                movable = false;
            }
            case Statement.Set setting
            when open -> {
                // SET takes no snapshot.
                set.put(setting.name(), setting.value() != null);
                left.set(setting);
                String again = setting.sql();
                if (again == null) {
                    movable = false;
                } else {
                    course = course.with(again);
                }
                leavesSettings = true;
            }
            default -> {
                queried();
                movable = false;
                leavesSettings |= statement.effect() != SessionEffect.NONE;
            }
        }
    }

    private void endSavepoints(String name, boolean keep) {
        int last = savepoints.lastIndexOf(name);
        if (last >= 0) {
            savepoints.subList(keep ? last + 1 : last, savepoints.size()).clear();
        }
    }

    private void queried() {
        if (open) {
            course = course.isQueried();
        }
    }

    private void beginAlone(Isolation level, boolean isReadOnly, Optional<Boolean> isDeferrable) {
        begin(level, isReadOnly, isDeferrable);
        left.clear();
    }

    private void begin(Isolation level, boolean isReadOnly, Optional<Boolean> isDeferrable) {
        open = true;
        uncertain = false;
        course = Course.begun(level, isReadOnly, isDeferrable);
        movable = true;
        leavesSettings = false;
        set.clear();
        savepoints.clear();
        lostSavepoints = false;
    }

    private void end(boolean chain, @Nullable SessionDefaults afterFailure) {
        if (!chain || !open) {
            open = false;
            return;
        }
        Course next = afterFailure == null ? course : chainedToFailure(afterFailure);
        boolean stillUncertain = uncertain;
        boolean stillLeaves = leavesSettings;
        begin(next.isolation(), next.readOnly(), next.deferrable());
        course = course.next();
        uncertain = stillUncertain;
        leavesSettings = stillLeaves;
        // Until the engine is asked, only it knows which settings an earlier part of the chain has made.
        movable = !uncertain && !leavesSettings;
    }

    /** The course of a block that is chained to this one after a failure, or after the failure of a subtransaction. */
    public Course chainedToFailure(SessionDefaults defaults) {
        if (!savepoints.isEmpty()) {
            // Only the subtransaction has failed by then.
            return course;
        }
        Course chained = course.chained();
        return chained != null ? chained : Course.begun(defaults.isolation(), defaults.readOnly(), Optional.empty());
    }

    /** Notes that the engine reports no open transaction. */
    public void idle() {
        open = false;
        committing = false;
    }

    /** Notes that the engine reports an open transaction. */
    public void inBlock() {
        committing = false;
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
        left.fail(drained);
    }

    /** Settings that the latest block, and those to which it is chained, have committed, by name; null if they are not known. */
    public @Nullable Map<String, @Nullable String> leftSettings() {
        return left.known();
    }

    /** Notes that all messages sent have been answered. */
    public void answered() {
        left.answered();
    }

    /** Forgets the settings of the latest block, because they are known or nothing of them is left. */
    public void leftNothing() {
        left.clear();
    }

    /** Whether a failed block executes the first of the statements, or may, because that is not understood. */
    public static boolean mayLeaveFailure(List<Statement> statements) {
        return !statements.isEmpty()
                && (statements.getFirst().endsTransaction()
                        || statements.getFirst() instanceof Statement.RollbackTo
                        || statements.getFirst() instanceof Statement.Update update
                                && update.reason() == NotRead.UNPARSED);
    }

    /** Whether one of the statements ends a block and others follow, which see another snapshot. */
    public static boolean endsAmid(List<Statement> statements) {
        for (int i = 0; i < statements.size() - 1; i++) {
            if (statements.get(i).endsTransaction()) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the statements ends a block and begins another. */
    public static boolean chains(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (chains(statements.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement ends a block and begins another. */
    public static boolean chains(Statement statement) {
        return statement instanceof Statement.Commit commit && commit.chain()
                || statement instanceof Statement.Rollback rollback && rollback.chain();
    }

    /** The information that is needed to begin the block anew in its present state. */
    public Course course() {
        return course;
    }

    /** Restores an earlier state, because the unit sent has had no effect on the block. */
    public void was(Course before) {
        course = before;
    }
}
