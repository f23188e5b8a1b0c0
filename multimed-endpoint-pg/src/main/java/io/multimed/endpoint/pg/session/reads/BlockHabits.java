package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;

/**
 * Records of the transaction blocks that begin with a read of the same shape: whether they need the Master later. Used on one event
 * loop.
 */
public final class BlockHabits {
    private static final int MOST_REMEMBERED = 16_384;
    /** Weight of the latest block in the share of those that needed the Master. */
    private static final double WEIGHT_OF_LAST = 0.125;

    private static final class Habit {
        double share;
    }

    private final Shapes<Habit> habits = new Shapes<>(MOST_REMEMBERED);

    /**
     * Whether most of the blocks that began with a read of this shape needed the Master later. False if none has been met.
     *
     * @param first the first read of a block
     */
    public boolean mostNeedMaster(Statement first) {
        Habit habit = habits.get(first);
        return habit != null && habit.share > 0.5;
    }

    /**
     * Records the end of a block.
     *
     * @param first its first read
     * @param neededMaster whether a later statement needed the Master
     */
    public void ended(Statement first, boolean neededMaster) {
        Habit habit = habits.get(first);
        if (habit == null) {
            habit = new Habit();
            habit.share = neededMaster ? 1 : 0;
            habits.add(first, habit);
        }
        habit.share += WEIGHT_OF_LAST * ((neededMaster ? 1 : 0) - habit.share);
    }
}
