package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.settings.ChosenSettings;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the reads of a unit may be a transaction of their own although the client's block is open. In a block under READ
 * COMMITTED, each statement sees a snapshot of its own anyway. As long as such a block only reads, it is not sent to an engine. It
 * then holds no connection while its client is idle, and its reads share connections as those outside of blocks do.
 *
 * <p>A block that is not declared READ ONLY may write later. Its first write sends it to the Master, which waits until it shows
 * everything that the block has read.
 */
public final class AutocommitRead {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final ChosenSettings chosen;
    private final UndeclaredBlock undeclared;

    public AutocommitRead(
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            SessionVariables variables,
            ChosenSettings chosen,
            UndeclaredBlock undeclared) {
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.variables = variables;
        this.chosen = chosen;
        this.undeclared = undeclared;
    }

    /**
     * Whether the reads may be a transaction of their own.
     *
     * @param statements all statements of a unit; the first may be the BEGIN of the block
     */
    public boolean suits(List<Statement> statements) {
        if (block.isOpen()) {
            return areReads(statements, 0) && suitsBlock(statements.getFirst());
        }
        return (!exchange.isBound() || exchange.isOwnTransaction())
                && !statements.isEmpty()
                && statements.getFirst() instanceof Statement.Begin begin
                && areReads(statements, 1)
                && suitsSession()
                && isReadCommitted(begin.isolation().orElse(variables.defaults().isolation()))
                && (begin.readOnly().orElse(variables.defaults().readOnly())
                        || (begin.readOnly().isEmpty()
                                && chosen.readsUndeclaredAnywhere()
                                && undeclared.mayBeginWith(statements.get(1))));
    }

    /**
     * Whether a read may be a transaction of its own within the open block.
     *
     * @param read the read; null for a statement of which is not known yet whether it is one
     */
    public boolean suitsBlock(@Nullable Statement read) {
        return suitsSession()
                && deferred.isAsBegun()
                && isReadCommitted(block.isolation())
                && (block.isReadOnly()
                        || (deferred.isUndeclared()
                                && chosen.readsUndeclaredAnywhere()
                                && undeclared.mayGoOnWith(read)));
    }

    private boolean suitsSession() {
        return !chosen.snapshotPerTransaction()
                && !chosen.readsOnMaster()
                // A Satellite refuses SERIALIZABLE, which would apply to it where no BEGIN states otherwise.
                && variables.defaults().isolation() != Isolation.SERIALIZABLE
                // Only an engine can apply this timeout without cutting off an answer.
                && variables.defaults().transactionMillis() == 0;
    }

    private static boolean isReadCommitted(Isolation isolation) {
        return isolation.compareTo(Isolation.READ_COMMITTED) <= 0;
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
