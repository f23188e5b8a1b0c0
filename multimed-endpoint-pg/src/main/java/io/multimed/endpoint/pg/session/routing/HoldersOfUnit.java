package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.List;

/**
 * Finds the partial Satellites that hold all that a unit needs, as bits.
 *
 * <p>A transaction block on a partial Satellite may need other tables later. Then it begins anew elsewhere, which the client must not
 * notice. So units that could not be repeated unnoticed are held by none: those of a block under REPEATABLE READ, cursors, savepoints,
 * and within blocks reads that depend on the moment.
 */
final class HoldersOfUnit {
    private static final long ALL = -1;
    private static final long NONE = 0;

    private HoldersOfUnit() {}

    /**
     * Returns the holders.
     *
     * @param defaults isolation of a block whose BEGIN does not give it
     */
    static long of(List<Statement> statements, TransactionBlock block, Isolation defaults) {
        boolean inBlock = block.isOpen();
        if (inBlock && block.isolation().compareTo(Isolation.READ_COMMITTED) > 0) {
            return NONE;
        }
        long holders = ALL;
        for (int i = 0; i < statements.size() && holders != NONE; i++) {
            Statement statement = statements.get(i);
            inBlock |= statement instanceof Statement.Begin;
            holders &= of(statement, inBlock, defaults);
        }
        return holders;
    }

    private static long of(Statement statement, boolean inBlock, Isolation defaults) {
        return switch (statement) {
            case Statement.Read read -> inBlock && read.momentary() ? NONE : read.holders();
            case Statement.Begin begin -> ofIsolation(begin.isolation().orElse(defaults));
            case Statement.SetTransaction set -> ofIsolation(set.isolation().orElse(Isolation.READ_COMMITTED));
            case Statement.Empty ignored -> ALL;
            // On a partial Satellite, all transactions stay read-only.
            case Statement.Set set -> set.name().equals("default_transaction_read_only") ? NONE : ALL;
            case Statement.Show ignored -> ALL;
            case Statement.Commit commit -> commit.chain() ? NONE : ALL;
            case Statement.Rollback rollback -> rollback.chain() ? NONE : ALL;
            default -> NONE;
        };
    }

    private static long ofIsolation(Isolation isolation) {
        return isolation.compareTo(Isolation.READ_COMMITTED) > 0 ? NONE : ALL;
    }
}
