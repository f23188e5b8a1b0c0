package io.multimed.engine.embedded.hsqldb;

import java.util.ArrayDeque;
import java.util.Deque;
import org.hsqldb.Row;
import org.hsqldb.RowAction;
import org.hsqldb.RowActionBase;

/**
 * Removes row versions from rows that every snapshot sees.
 *
 * <p>With MVCC, HSQLDB attaches a chain of actions to each inserted row. It keeps the empty head of the chain for ever, even after
 * the last snapshot that must not see the row has ended: 72 bytes for each row, and a monitor that each reader of the row enters.
 * With LOCKS, HSQLDB removes the head, since no session looks at it any more, and this class does the same. Only the applier
 * changes rows here, so no other session can be about to add to an empty chain.
 *
 * <p>Called under the monitor of the applier's session.
 */
final class SettledRows {
    /**
     * Rows that were inserted and not settled at the last check, in the order of their commits, which is the order in which they
     * settle.
     */
    private final Deque<Row> unsettled = new ArrayDeque<>();

    void inserted(Row row) {
        unsettled.add(row);
    }

    /** Settles rows. Call it after a commit of insertions; readers may also have ended since the last call. */
    void settle() {
        Row row;
        while ((row = unsettled.peek()) != null) {
            RowAction versions = row.rowAction;
            if (versions != null) {
                int type = versions.getType();
                if (type == RowActionBase.ACTION_INSERT) {
                    return;
                }
                if (type == RowActionBase.ACTION_NONE) {
                    row.rowAction = null;
                }
                // Keeps the chain of a row that has been deleted since, because readers that still find the row need
                // it.
            }
            unsettled.remove();
        }
    }
}
