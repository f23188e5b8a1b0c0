package io.multimed.endpoint.pg.session.block;

import java.util.ArrayList;
import java.util.List;

/** The savepoints of a transaction block, predicted from the statements sent. */
final class OpenSavepoints {
    /** Their names, from the first to the last. */
    private final List<String> names = new ArrayList<>(0);
    /** Whether there were some on an engine that is gone. */
    private boolean lost;

    /** Forgets all savepoints, because another block begins. */
    void clear() {
        names.clear();
        lost = false;
    }

    void add(String name) {
        names.add(name);
    }

    /** Removes the latest savepoint of this name and all later ones. */
    void release(String name) {
        end(name, 0);
    }

    /** Removes all savepoints that are later than the latest one of this name. */
    void rollBackTo(String name) {
        end(name, 1);
    }

    private void end(String name, int kept) {
        int last = names.lastIndexOf(name);
        if (last >= 0) {
            names.subList(last + kept, names.size()).clear();
        }
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** Notes that the engine with the savepoints is gone. */
    void lose() {
        lost |= !names.isEmpty();
        names.clear();
    }

    /** Whether the block had savepoints on an engine that is gone. */
    boolean areLost() {
        return lost;
    }
}
