package io.multimed.engine.postgresql.writeset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of pgoutput (manual: Logical Replication Message Formats, protocol version 2).
 *
 * <p>{@code xid} is that of the transaction or subtransaction that made the change in a stream, 0 outside a stream.
 */
sealed interface LogicalMessage {
    record Begin(int xid) implements LogicalMessage {}

    /** @param end of the commit record */
    record Commit(long end) implements LogicalMessage {}

    record Description(int xid, Relation relation) implements LogicalMessage {}

    record Insert(int xid, int relation, Row row) implements LogicalMessage {}

    record Update(int xid, int relation, @Nullable Row old, Row row) implements LogicalMessage {}

    record Delete(int xid, int relation, Row old) implements LogicalMessage {}

    record Truncate(int xid, List<Integer> relations, boolean restartIdentity) implements LogicalMessage {}

    /** The next messages belong to this transaction, which has not ended. */
    record StreamStart(int xid) implements LogicalMessage {}

    record StreamStop() implements LogicalMessage {}

    /** @param end of the commit record */
    record StreamCommit(int xid, long end) implements LogicalMessage {}

    /** @param subxid what was rolled back: the whole transaction if it is {@code xid} */
    record StreamAbort(int xid, int subxid) implements LogicalMessage {}

    /** A type, an origin or a client's own message: nothing that a Satellite needs. */
    record Other() implements LogicalMessage {}
}
