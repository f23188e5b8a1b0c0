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

/** What is known of the session's transaction block, if it has one; predicted from what was sent. */
public final class TransactionBlock {
    /**
     * What it takes to begin it anew.
     *
     * @param deferrable absent: as the session's default has it
     * @param chained what it got by AND CHAIN, which failing does not undo, as it undoes what BEGIN or SET TRANSACTION has
     *     set; null: it was not chained
     * @param queried it has taken its first snapshot, or may have
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

        /** What is chained to it. */
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

        /** @param sql sets a parameter */
        Course with(String sql) {
            return new Course(isolation, readOnly, deferrable, chained, queried, settings + "; " + sql);
        }

        /** The same without what it has set. */
        Course withoutSettings() {
            return new Course(isolation, readOnly, deferrable, chained, queried, "");
        }

        /** To the engine, what must come before any query then comes too late, as it would have. */
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
    /** It may be that it has ended, or begun anew, and with which characteristics nobody knows. */
    private boolean uncertain;
    /** What was sent last ends the block, and does something else besides. */
    private boolean endsAmongOthers;

    private Course course = Course.NONE;
    private boolean movable;
    private boolean portalUnderWay;
    private boolean committing;
    /** The block, or what it is chained to, has set parameters: of what is left of that the engine is asked at the end. */
    private boolean leavesSettings;
    /** Those that are open, from the first to the last. */
    private final List<String> savepoints = new ArrayList<>(0);

    private final LeftSettings left = new LeftSettings();
    /** It had some savepoints on an engine that is gone. */
    private boolean lostSavepoints;
    /** What has been set within the open block, and whether to a value of its own. */
    private final Map<String, Boolean> set = new HashMap<>(0);

    /** Whether statements sent so far have opened a block and not yet ended it. */
    public boolean isOpen() {
        return open;
    }

    /** Whether the block is READ ONLY; of the latest one if none is open. */
    public boolean isReadOnly() {
        return course.readOnly();
    }

    /** Its isolation level; of the latest one if none is open. */
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

    /** Whether the block can begin again on another node without anybody noticing. */
    public boolean isMovable() {
        return movable && !portalUnderWay && takesNewSnapshot();
    }

    /** Whether the open block has given the setting of this name a value, or taken one from it; null if neither. */
    public @Nullable Boolean sets(String name) {
        return open ? set.get(name) : null;
    }

    /** The engine that had its savepoints is gone. */
    void loseSavepoints() {
        lostSavepoints |= !savepoints.isEmpty();
        savepoints.clear();
    }

    /** Whether it cannot come back to a savepoint, since the engine that had it is gone. */
    public boolean hasLostSavepoints() {
        return open && lostSavepoints;
    }

    /** Names of the parameters that the open block has set. */
    public Set<String> settingNames() {
        return open ? set.keySet() : Set.of();
    }

    /** Whether what was sent last may commit. */
    public boolean isCommitting() {
        return committing;
    }

    /** A portal, which exists on this node alone, is bound and about to be executed; or it is not any more. */
    public void portalIsUnderWay(boolean now) {
        portalUnderWay = now;
    }

    /** A portal stays open between units: it exists on this node alone. */
    public void keepsPortal() {
        movable = false;
    }

    /** The engine was told to run the open block under REPEATABLE READ. */
    void underRepeatableRead() {
        course = course.under(Isolation.REPEATABLE_READ);
    }

    /**
     * The statements of a unit are being sent.
     *
     * @param failed the block has failed: what is chained to it then begins with the session's defaults, since the engine
     *     has undone its characteristics with it; but not those that it got by being chained itself
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
            // It warns, and sets what it names.
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
                // Takes no snapshot.
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
        // Only the engine knows, until it is asked, which settings an earlier part of the chain has made.
        movable = !uncertain && !leavesSettings;
    }

    /** What is chained to the block if it has failed, or to which it comes back. */
    public Course chainedToFailure(SessionDefaults defaults) {
        if (!savepoints.isEmpty()) {
            // Only the subtransaction has failed by then.
            return course;
        }
        Course chained = course.chained();
        return chained != null ? chained : Course.begun(defaults.isolation(), defaults.readOnly(), Optional.empty());
    }

    /** The engine says that no transaction is open. */
    public void idle() {
        open = false;
        committing = false;
    }

    /** The engine says that a transaction is open. */
    public void inBlock() {
        committing = false;
        if (!open) {
            // Begun by something that was not understood: nothing may be assumed of it.
            beginAlone(Isolation.READ_COMMITTED, false, Optional.empty());
            movable = false;
        }
    }

    /** What was sent last has failed, whether before or behind an end of the block that is in it. */
    public void unitFailed() {
        if (endsAmongOthers) {
            uncertain = true;
            movable = false;
        }
    }

    /** The engine has told that it has failed. @param drained it has answered all that it was sent */
    public void failed(boolean drained) {
        left.fail(drained);
    }

    /** Settings that the latest block, and those to which it is chained, have committed, by name; null if they are not known. */
    public @Nullable Map<String, @Nullable String> leftSettings() {
        return left.known();
    }

    /** All that was sent is answered. */
    public void answered() {
        left.answered();
    }

    /** The settings of the latest block are known, or nothing of them is left. */
    public void leftNothing() {
        left.clear();
    }

    /** Whether a block that has failed executes the first of them, or it is not known what that is. */
    public static boolean mayLeaveFailure(List<Statement> statements) {
        return !statements.isEmpty()
                && (statements.getFirst().endsTransaction()
                        || statements.getFirst() instanceof Statement.RollbackTo
                        || statements.getFirst() instanceof Statement.Update update
                                && update.reason() == NotRead.UNPARSED);
    }

    /** Whether a block is ended by one of them, and others follow, which see another snapshot. */
    public static boolean endsAmid(List<Statement> statements) {
        for (int i = 0; i < statements.size() - 1; i++) {
            if (statements.get(i).endsTransaction()) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of them ends a block and begins another. */
    public static boolean chains(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (chains(statements.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether it ends a block and begins another. */
    public static boolean chains(Statement statement) {
        return statement instanceof Statement.Commit commit && commit.chain()
                || statement instanceof Statement.Rollback rollback && rollback.chain();
    }

    /** What it takes to begin it anew, as it is now. */
    public Course course() {
        return course;
    }

    /** A unit that was sent has had no effect on it after all. */
    public void was(Course before) {
        course = before;
    }
}
