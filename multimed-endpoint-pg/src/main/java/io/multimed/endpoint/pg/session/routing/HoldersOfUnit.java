package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.HoldersOfBlock;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.List;

/**
 * Finds the partial Satellites that may execute a unit, as bits: they hold all that it needs.
 *
 * <p>A transaction block on a partial Satellite may need other tables later. Then it begins anew elsewhere, which the client must not
 * notice. Some blocks cannot: those under REPEATABLE READ, with cursors or savepoints, or with reads that depend on the moment. They
 * begin only where blocks that began alike have found all that they needed.
 */
final class HoldersOfUnit {
    private static final long ALL = -1;
    private static final long NONE = 0;

    private HoldersOfUnit() {}

    /**
     * Returns the nodes that hold all that the statements need.
     *
     * @param stays whether the block has begun on a node that it cannot leave
     */
    static long of(List<Statement> statements, boolean stays) {
        long holders = ALL;
        for (int i = 0; i < statements.size() && holders != NONE; i++) {
            holders &= HoldersOfBlock.of(statements.get(i), stays);
        }
        return holders;
    }

    /**
     * Returns the nodes on which a block that the unit leaves open is expected to find what it needs later.
     *
     * @param block which can leave its node, if it has begun on any
     * @param defaults isolation of a block whose BEGIN does not give it
     * @param oneSnapshot whether every block runs on one snapshot
     * @param sent those to which a rule sends the unit, where its block may begin before anything is known about it
     */
    static long expected(
            List<Statement> statements, TransactionBlock block, Isolation defaults, boolean oneSnapshot, long sent) {
        boolean inBlock = block.isOpen();
        boolean mustStay = inBlock && (oneSnapshot || hasOneSnapshot(block.isolation()));
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement.endsTransaction()) {
                inBlock = false;
                mustStay = false;
                continue;
            }
            mustStay |= switch (statement) {
                case Statement.Begin begin -> {
                    inBlock = true;
                    yield oneSnapshot || hasOneSnapshot(begin.isolation().orElse(defaults));
                }
                case Statement.SetTransaction set ->
                    hasOneSnapshot(set.isolation().orElse(Isolation.READ_COMMITTED));
                case Statement.Read read -> inBlock && read.momentary();
                case Statement.DeclareCursor ignored -> true;
                case Statement.Savepoint ignored -> true;
                case Statement.RollbackTo ignored -> true;
                case Statement.Release ignored -> true;
                default -> false;
            };
        }
        return inBlock ? block.holders().expected(statements, mustStay, sent) : ALL;
    }

    private static boolean hasOneSnapshot(Isolation isolation) {
        return isolation.compareTo(Isolation.READ_COMMITTED) > 0;
    }
}
