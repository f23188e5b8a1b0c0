package io.multimed.endpoint.pg.session.block;

import io.multimed.sql.NotRead;
import io.multimed.sql.Statement;
import java.util.List;

/** The statements of a unit that end a transaction block, or its failure. Pure. */
public final class TransactionEnds {
    private TransactionEnds() {}

    /** Whether a failed block executes the first of the statements, or may, because that is not understood. */
    public static boolean mayLeaveFailure(List<Statement> statements) {
        return !statements.isEmpty()
                && (statements.getFirst().endsTransaction()
                        || statements.getFirst() instanceof Statement.RollbackTo
                        || (statements.getFirst() instanceof Statement.Update update
                                && update.reason() == NotRead.UNPARSED));
    }

    /** Whether one of the statements ends a block and others follow, which see another snapshot. */
    public static boolean endsAmid(List<Statement> statements) {
        for (int i = 0; i < statements.size() - 1; i++) {
            if (statements.get(i).endsTransaction()) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the statements ends a block and begins another. */
    public static boolean chains(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (chains(statements.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement ends a block and begins another. */
    public static boolean chains(Statement statement) {
        return (statement instanceof Statement.Commit commit && commit.chain())
                || (statement instanceof Statement.Rollback rollback && rollback.chain());
    }
}
