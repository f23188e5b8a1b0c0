package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.settings.ChosenSettings;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.List;

/**
 * Decides whether the reads of a unit may be a transaction of their own although the client's block is open. In a READ ONLY block
 * under READ COMMITTED, each statement sees a snapshot of its own anyway. As long as such a block only reads, it is not sent to an
 * engine. It then holds no connection while its client is idle, and its reads share connections as those outside of blocks do.
 */
public final class AutocommitRead {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final ChosenSettings chosen;

    public AutocommitRead(
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            SessionVariables variables,
            ChosenSettings chosen) {
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.variables = variables;
        this.chosen = chosen;
    }

    /**
     * Whether the reads may be a transaction of their own.
     *
     * @param statements all statements of a unit; the first may be the BEGIN of the block
     */
    public boolean suits(List<Statement> statements) {
        if (chosen.snapshotPerTransaction()
                || chosen.readsOnMaster()
                // A Satellite refuses SERIALIZABLE, which would apply to it where no BEGIN states otherwise.
                || variables.defaults().isolation() == Isolation.SERIALIZABLE
                // Only an engine can apply this timeout without cutting off an answer.
                || variables.defaults().transactionMillis() != 0) {
            return false;
        }
        if (block.isOpen()) {
            return deferred.isAsBegun() && suits(block.isReadOnly(), block.isolation()) && areReads(statements, 0);
        }
        return (!exchange.isBound() || exchange.isOwnTransaction())
                && !statements.isEmpty()
                && statements.getFirst() instanceof Statement.Begin begin
                && suits(
                        begin.readOnly().orElse(variables.defaults().readOnly()),
                        begin.isolation().orElse(variables.defaults().isolation()))
                && areReads(statements, 1);
    }

    private static boolean suits(boolean readOnly, Isolation isolation) {
        return readOnly && isolation.compareTo(Isolation.READ_COMMITTED) <= 0;
    }

    private static boolean areReads(List<Statement> statements, int from) {
        for (int i = from; i < statements.size(); i++) {
            // now() is constant throughout a transaction.
            if (!(statements.get(i) instanceof Statement.Read read) || read.momentary()) {
                return false;
            }
        }
        return from < statements.size();
    }
}
