package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.reads.BlockHabits;
import io.multimed.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The course of the session's present block if its BEGIN does not say whether it is READ ONLY. Many applications open such blocks
 * for reads alone. The habits of blocks that began alike decide whether its first reads run on Satellites.
 */
public final class UndeclaredBlock {
    private final BlockHabits habits;
    /** Whether an undeclared block is open whose first statement, if there is one yet, is a read. */
    private boolean begun;
    /** The first statement of the block, a read; null if there is none yet. */
    private @Nullable Statement first;

    private boolean needsMaster;

    public UndeclaredBlock(BlockHabits habits) {
        this.habits = habits;
    }

    /** Whether a block that begins with the read is expected to do nothing but read. */
    boolean mayBeginWith(Statement read) {
        return !habits.mostNeedMaster(read);
    }

    /** Whether the present block, which goes on with the read if it is known, is expected to do nothing but read. */
    boolean mayGoOnWith(@Nullable Statement read) {
        Statement begin = first != null ? first : read;
        return begin == null || mayBeginWith(begin);
    }

    /** Notes that the block begins. */
    void begins(Statement.Begin begin) {
        begun = begin.readOnly().isEmpty();
        first = null;
        needsMaster = false;
    }

    /** Notes that the block executes a read. */
    void reads(Statement.Read read) {
        if (read.momentary()) {
            needsMaster();
        } else if (begun && first == null) {
            first = read;
        }
    }

    /** Notes that the block executes a statement for which the Master is needed. */
    void needsMaster() {
        needsMaster = true;
        // The Master executes a block that begins in this way from its first statement on.
        begun &= first != null;
    }

    /** Notes that the block ends. */
    void ends() {
        if (begun && first != null) {
            habits.ended(first, needsMaster);
        }
        begun = false;
        first = null;
    }
}
