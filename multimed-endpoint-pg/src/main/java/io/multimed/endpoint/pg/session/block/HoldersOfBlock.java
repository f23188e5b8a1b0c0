package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.reads.HabitualHolders;
import io.multimed.sql.NotRead;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partial Satellites that hold all that the session's present block has needed so far. A block that cannot leave its node may begin
 * on a partial Satellite only if blocks that began alike needed no more than that Satellite holds.
 */
public final class HoldersOfBlock {
    private static final long ALL = -1;
    private static final long NONE = 0;

    private final @Nullable HabitualHolders habits;
    /** The first read of the open block; null if there is none yet. */
    private @Nullable Statement first;

    private long holders = ALL;
    /** Whether all statements have been understood. The Master executes others, too: its blocks do not wait for that. */
    private boolean isUnderstood = true;

    /** @param habits of all blocks; null if there are no partial Satellites */
    public HoldersOfBlock(@Nullable HabitualHolders habits) {
        this.habits = habits;
    }

    /**
     * Returns the partial Satellites that hold all that a statement needs, as bits.
     *
     * @param chains whether one may execute the AND CHAIN of a block's end
     */
    public static long of(Statement statement, boolean chains) {
        return switch (statement) {
            case Statement.Read read -> read.holders();
            case Statement.DeclareCursor cursor ->
                !cursor.hold() && cursor.query() instanceof Statement.Read read ? read.holders() : NONE;
            case Statement.Begin ignored -> ALL;
            case Statement.SetTransaction ignored -> ALL;
            case Statement.Empty ignored -> ALL;
            case Statement.Show ignored -> ALL;
            // On a partial Satellite, all transactions stay read-only.
            case Statement.Set set -> set.name().equals("default_transaction_read_only") ? NONE : ALL;
            case Statement.Commit commit -> commit.chain() && !chains ? NONE : ALL;
            case Statement.Rollback rollback -> rollback.chain() && !chains ? NONE : ALL;
            case Statement.Savepoint ignored -> ALL;
            case Statement.RollbackTo ignored -> ALL;
            case Statement.Release ignored -> ALL;
            case Statement.Fetch ignored -> ALL;
            case Statement.CloseCursor ignored -> ALL;
            // It is not executed.
            case Statement.ExplainPlacement ignored -> ALL;
            default -> NONE;
        };
    }

    /**
     * Returns the partial Satellites on which the block may begin, or go on if it can leave its node.
     *
     * @param statements of its next unit
     * @param mustStay whether it cannot leave its node once it has executed them
     * @param unlessKnown those on which it may begin although nothing is known about blocks that begin alike
     */
    public long expected(List<Statement> statements, boolean mustStay, long unlessKnown) {
        if (habits == null) {
            return ALL;
        }
        Statement begin = first != null ? first : firstRead(statements);
        if (begin == null) {
            return mustStay ? NONE : ALL;
        }
        return habits.expected(begin, mustStay, unlessKnown);
    }

    /** The first read among the statements, or the query of a cursor; null if there is none. */
    public static @Nullable Statement firstRead(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            Statement read = readOf(statements.get(i));
            if (read != null) {
                return read;
            }
        }
        return null;
    }

    private static @Nullable Statement readOf(Statement statement) {
        Statement query = statement instanceof Statement.DeclareCursor cursor ? cursor.query() : statement;
        return query instanceof Statement.Read ? query : null;
    }

    /** Notes that the block begins. */
    void begins() {
        first = null;
        holders = ALL;
        isUnderstood = true;
    }

    /** Notes that the open block executes the statement. */
    void executes(Statement statement) {
        if (habits == null) {
            return;
        }
        if (first == null) {
            first = readOf(statement);
        }
        isUnderstood &= !(statement instanceof Statement.Update update) || update.reason() != NotRead.UNPARSED;
        holders &= of(statement, true);
    }

    /** Notes that the block ends. */
    void ends() {
        if (habits != null && first != null && isUnderstood) {
            habits.ended(first, holders);
        }
        first = null;
    }

    /** Notes that the block, which cannot leave its partial Satellite, is refused there since it needs something else. */
    public void refused() {
        if (habits != null && first != null) {
            habits.refused(first);
        }
    }
}
