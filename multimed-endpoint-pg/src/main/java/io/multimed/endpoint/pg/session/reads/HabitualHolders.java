package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.node.NodeContents;
import io.multimed.sql.Statement;

/**
 * Records of transaction blocks that begin with a read of the same shape: the partial Satellites that have held all that these blocks
 * needed so far, as bits. All event loops share them, so that no block is refused twice for what has been learned once.
 *
 * <p>What a partial Satellite did not hold for one block it is not expected to hold for the next. A shape is forgotten when the
 * classifier returns another object for it, as after a change of the schema.
 */
public final class HabitualHolders {
    private static final int MOST_REMEMBERED = 16_384;
    private static final long ALL = -1;
    /** Whatever is not about partial Satellites. */
    private static final long OTHERS = ~NodeContents.PARTIAL_BITS;

    private static final class Habit {
        long holders = ALL;
        boolean wasRefused;
    }

    private final Shapes<Habit> habits = new Shapes<>(MOST_REMEMBERED);

    /**
     * Returns the partial Satellites on which a block may begin that begins with the read.
     *
     * @param mustStay whether the block cannot leave the node on which it begins
     * @param unlessKnown those on which such a block may begin as long as none of its shape has ended
     */
    public synchronized long expected(Statement first, boolean mustStay, long unlessKnown) {
        Habit habit = habits.get(first);
        if (habit == null) {
            return mustStay ? unlessKnown | OTHERS : ALL;
        }
        return mustStay || habit.wasRefused ? habit.holders | OTHERS : ALL;
    }

    /**
     * Records the end of a block.
     *
     * @param first its first read
     * @param holders the partial Satellites that hold all that it needed
     */
    public synchronized void ended(Statement first, long holders) {
        known(first).holders &= holders;
    }

    /** Records that a block which begins with the read was refused by a partial Satellite that it could not leave. */
    public synchronized void refused(Statement first) {
        Habit habit = known(first);
        habit.holders = 0;
        habit.wasRefused = true;
    }

    private Habit known(Statement first) {
        Habit habit = habits.get(first);
        if (habit == null) {
            habit = new Habit();
            habits.add(first, habit);
        }
        return habit;
    }
}
