package io.multimed.engine.embedded.hsqldb;

import java.util.ArrayDeque;
import java.util.Deque;
import org.hsqldb.Row;
import org.hsqldb.RowAction;
import org.hsqldb.RowActionBase;

/**
 * Takes the versions off rows that every snapshot sees.
 *
 * <p>With MVCC, HSQLDB hangs a chain of actions on each row that is inserted, and leaves its empty head there for good once
 * the last snapshot that must not see the row has ended: 72 bytes for each row, and a monitor that each reader of the row
 * enters. With LOCKS it takes it off, since nobody looks at it any more; so does this. Here only the applier changes rows,
 * so nobody else can be about to add to a chain that is empty.
 *
 * <p>Called under the monitor of the applier's session.
 */
final class SettledRows {
    /** Inserted and not settled when last looked at, in the order of their commits, which is the order in which they settle. */
    private final Deque<Row> unsettled = new ArrayDeque<>();

    void inserted(Row row) {
        unsettled.add(row);
    }

    /** What was inserted has been committed, and maybe readers have ended since the last time. */
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
                // Otherwise it has been deleted since: readers that still come across it have to be told so.
            }
            unsettled.remove();
        }
    }
}
