package io.multimed.engine.postgresql.writeset;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A committed transaction: its changes in the order in which they happened. Immutable.
 *
 * @param scn the end of its commit record in the log, the same as the relay's
 * @param xid 32 bits
 * @param bytes of memory, roughly
 */
public record Transaction(long scn, int xid, List<Change> changes, long bytes) {
    /** The list is the caller's to give away: it may be large, so it is not copied. */
    public Transaction {}

    /** Returns this transaction with the changes of some tables alone; itself if these are all. */
    Transaction of(Predicate<QualifiedName> tables) {
        @Nullable List<Change> some = null;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            Change wanted = of(change, tables);
            if (some == null && wanted != change) {
                some = new ArrayList<>(changes.subList(0, i));
            }
            if (some != null && wanted != null) {
                some.add(wanted);
            }
        }
        return some == null ? this : new Transaction(scn, xid, some, bytes(some));
    }

    private static @Nullable Change of(Change change, Predicate<QualifiedName> tables) {
        return switch (change) {
            case Change.Insert insert -> tables.test(insert.relation().name()) ? change : null;
            case Change.Update update -> tables.test(update.relation().name()) ? change : null;
            case Change.Delete delete -> tables.test(delete.relation().name()) ? change : null;
            case Change.Truncate truncate -> {
                List<Relation> some = truncate.relations().stream()
                        .filter(relation -> tables.test(relation.name()))
                        .toList();
                if (some.size() == truncate.relations().size()) {
                    yield change;
                }
                yield some.isEmpty() ? null : new Change.Truncate(some, truncate.restartIdentity());
            }
        };
    }

    private static long bytes(List<Change> changes) {
        long bytes = 0;
        for (Change change : changes) {
            bytes += change.bytes();
        }
        return bytes;
    }
}
