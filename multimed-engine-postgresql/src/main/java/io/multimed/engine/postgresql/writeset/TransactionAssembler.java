package io.multimed.engine.postgresql.writeset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes whole transactions of messages. Large ones arrive in streams, interleaved, before their end is known; what a
 * subtransaction did that was rolled back is left out.
 *
 * <p>All of it is in memory, up to a bound: the changes of transactions that have not ended. One thread.
 */
final class TransactionAssembler {
    /** A transaction that has not ended. */
    private static final class Open {
        final int xid;
        /** The tables as this transaction has described them so far. */
        final Map<Integer, Relation> relations = new HashMap<>();

        List<Change> changes = new ArrayList<>();
        /** The subtransaction of each change, in a stream. */
        int[] subxids = new int[16];

        final Set<Integer> aborted = new HashSet<>();
        long bytes;

        Open(int xid) {
            this.xid = xid;
        }

        /** Notes the subtransaction of the last change. */
        void by(int subxid) {
            if (changes.size() > subxids.length) {
                subxids = Arrays.copyOf(subxids, 2 * subxids.length);
            }
            subxids[changes.size() - 1] = subxid;
        }
    }

    private final long maxBytes;
    private final Map<Integer, Relation> relations = new HashMap<>();
    private final Map<Integer, Open> streams = new HashMap<>();
    private @Nullable Open current;
    private boolean streaming;
    private long bytes;
    private long streamed;

    /** @param maxBytes bound of the memory of transactions that have not ended */
    TransactionAssembler(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the number of transactions that were streamed and committed. */
    long streamed() {
        return streamed;
    }

    /**
     * Takes a message.
     *
     * @return the transaction that it completes, or null
     * @throws MalformedWriteSetException if the message cannot follow those before
     * @throws WriteSetTooLargeException if the bound is exceeded
     */
    @Nullable
    Transaction take(LogicalMessage message) throws WriteSetTooLargeException {
        switch (message) {
            case LogicalMessage.Begin begin -> {
                require(current == null, "a transaction begins in another");
                current = new Open(begin.xid());
            }
            case LogicalMessage.Commit commit -> {
                Open open = current();
                require(!streaming, "a commit inside a stream");
                current = null;
                return committed(open, commit.end());
            }
            case LogicalMessage.StreamStart start -> {
                require(current == null, "a stream begins in a transaction");
                current = streams.computeIfAbsent(start.xid(), Open::new);
                streaming = true;
            }
            case LogicalMessage.StreamStop ignored -> {
                require(streaming, "no stream ends");
                current = null;
                streaming = false;
            }
            case LogicalMessage.StreamCommit commit -> {
                require(current == null, "a streamed commit in a transaction");
                Open open = streams.remove(commit.xid());
                if (open == null) {
                    throw new MalformedWriteSetException("the end of a transaction that was not streamed");
                }
                streamed++;
                relations.putAll(open.relations);
                return committed(open, commit.end());
            }
            case LogicalMessage.StreamAbort abort -> {
                require(current == null, "a streamed rollback in a transaction");
                abort(abort.xid(), abort.subxid());
            }
            case LogicalMessage.Description description -> describe(description.relation());
            case LogicalMessage.Insert insert -> {
                Relation relation = relation(insert.relation(), insert.row());
                add(insert.xid(), new Change.Insert(relation, insert.row()));
            }
            case LogicalMessage.Update update -> add(update.xid(), update(update));
            case LogicalMessage.Delete delete -> {
                Relation relation = relation(delete.relation(), delete.old());
                add(delete.xid(), new Change.Delete(relation, delete.old()));
            }
            case LogicalMessage.Truncate truncate -> {
                List<Relation> emptied =
                        truncate.relations().stream().map(this::relation).toList();
                add(truncate.xid(), new Change.Truncate(emptied, truncate.restartIdentity()));
            }
            case LogicalMessage.Other ignored -> {}
        }
        return null;
    }

    private Change update(LogicalMessage.Update update) {
        Relation relation = relation(update.relation(), update.row());
        Row row = update.row();
        Row old = update.old();
        if (old != null) {
            row = filled(relation, row, old);
        }
        for (int i = 0; i < row.size(); i++) {
            require(!row.isUnchanged(i) || !relation.columns().get(i).key(), "an update without its key");
        }
        return new Change.Update(relation, old, row);
    }

    /** Takes the unchanged values of the key, which an old row always has, from there. */
    private static Row filled(Relation relation, Row row, Row old) {
        if (!row.hasUnchanged()) {
            return row;
        }
        Row.Builder filled = new Row.Builder(row.size());
        for (int i = 0; i < row.size(); i++) {
            filled.copy(i, row.isUnchanged(i) && relation.columns().get(i).key() ? old : row);
        }
        return filled.build();
    }

    private void describe(Relation described) {
        Relation known = known(described.id());
        if (described.equals(known)) {
            return;
        }
        if (streaming) {
            // The others learn of it when this transaction commits.
            current().relations.put(described.id(), described);
        } else {
            relations.put(described.id(), described);
        }
    }

    private @Nullable Relation known(int id) {
        Open open = current;
        Relation own = open == null ? null : open.relations.get(id);
        return own == null ? relations.get(id) : own;
    }

    private Relation relation(int id) {
        Relation relation = known(id);
        if (relation == null) {
            throw new MalformedWriteSetException("a change of a table that was not described: " + id);
        }
        return relation;
    }

    private Relation relation(int id, Row row) {
        Relation relation = relation(id);
        if (row.size() != relation.columns().size()) {
            throw new MalformedWriteSetException("a row of " + row.size() + " columns for " + relation.name()
                    + ", which has " + relation.columns().size());
        }
        return relation;
    }

    private void add(int xid, Change change) throws WriteSetTooLargeException {
        Open open = current();
        open.changes.add(change);
        if (streaming) {
            open.by(xid);
        }
        open.bytes += change.bytes();
        bytes += change.bytes();
        if (bytes > maxBytes) {
            throw new WriteSetTooLargeException(maxBytes);
        }
    }

    private Open current() {
        Open open = current;
        if (open == null) {
            throw new MalformedWriteSetException("a change outside a transaction");
        }
        return open;
    }

    private Transaction committed(Open open, long end) {
        bytes -= open.bytes;
        if (!open.aborted.isEmpty()) {
            List<Change> kept = new ArrayList<>();
            for (int i = 0; i < open.changes.size(); i++) {
                if (!open.aborted.contains(open.subxids[i])) {
                    kept.add(open.changes.get(i));
                }
            }
            open.changes = kept;
        }
        return new Transaction(end, open.xid, open.changes, open.bytes);
    }

    private void abort(int xid, int subxid) {
        if (xid == subxid) {
            Open gone = streams.remove(xid);
            bytes -= gone == null ? 0 : gone.bytes;
            return;
        }
        Open open = streams.get(xid);
        if (open == null) {
            return;
        }
        // Its changes are the last ones, unless one of its own subtransactions goes on behind it in this list.
        for (int last = open.changes.size() - 1; last >= 0 && open.subxids[last] == subxid; last--) {
            long less = open.changes.remove(last).bytes();
            open.bytes -= less;
            bytes -= less;
        }
        open.aborted.add(subxid);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new MalformedWriteSetException(otherwise);
        }
    }
}
