package io.multimed.endpoint.pg.session.block;

import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters that a transaction block has set, and those that it and the blocks to which it is chained have left behind. */
final class BlockSettings {
    /** Parameters set within the open block: true for a value, false for the default. */
    private final Map<String, Boolean> set = new HashMap<>(0);

    private final LeftSettings left = new LeftSettings();
    /** Whether a SET has been noted in {@link #left} since that was cleared. Most transactions set nothing. */
    private boolean mayLeave;
    /** Whether the block, or a block to which it is chained, has changed settings. The engine is asked for the result at the end. */
    private boolean changed;

    /** Begins a block that is not chained to another. */
    void begin() {
        set.clear();
        changed = false;
        leftNothing();
    }

    /** Begins a block that is chained to the one before. */
    void chain() {
        set.clear();
    }

    /** Notes a SET within the block. */
    void set(Statement.Set setting) {
        set.put(setting.name(), setting.value() != null);
        left.set(setting);
        mayLeave = true;
        changed = true;
    }

    /** Notes that another statement has this effect within the block. */
    void executed(SessionEffect effect) {
        changed |= effect != SessionEffect.NONE;
    }

    /** Whether the block has set the parameter of this name to a value (true) or to its default (false); null if neither. */
    @Nullable
    Boolean sets(String name) {
        return set.get(name);
    }

    /** Names of the parameters that the block has set. */
    Set<String> names() {
        return set.keySet();
    }

    /** Whether the block, or a block to which it is chained, has changed settings. */
    boolean areChanged() {
        return changed;
    }

    /** Undoes the changes since a savepoint. */
    void rollBackTo() {
        left.rollBackTo();
    }

    /** Ends the block, which commits or not. */
    void end(boolean commits) {
        left.end(commits);
    }

    /**
     * Notes that the engine has reported a failed transaction.
     *
     * @param drained whether it has answered all messages sent
     */
    void fail(boolean drained) {
        left.fail(drained);
    }

    /** Notes that all messages sent have been answered. */
    void answered() {
        if (mayLeave) {
            left.answered();
        }
    }

    /** Settings that the latest block, and those to which it is chained, have committed, by name; null if they are not known. */
    @Nullable
    Map<String, @Nullable String> left() {
        return left.known();
    }

    /** Forgets the settings of the latest block, because they are known or nothing of them is left. */
    void leftNothing() {
        if (mayLeave) {
            mayLeave = false;
            left.clear();
        }
    }
}
