package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import io.multimed.endpoint.pg.session.loop.ReadRules;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies routing rules to the session's reads: finds the rule of each unit, and restricts it to the rule's nodes. A unit is decided by
 * its first read. A block that has begun on an engine stays there.
 *
 * <p>Nobody asks it unless there are rules or partial Satellites.
 */
public final class Steering {
    private final LoopContext loop;
    private final PoolKey pool;
    private final SessionVariables variables;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Unit unit;
    /** The settings and the rules for which {@link #ofSession} was found; null if it was not yet. */
    private @Nullable BackendSettings settings;

    private @Nullable ReadRules rulesOfSession;

    private long ofSession;

    public Steering(
            LoopContext loop,
            PoolKey pool,
            SessionVariables variables,
            Exchange exchange,
            TransactionBlock block,
            Unit unit) {
        this.loop = loop;
        this.pool = pool;
        this.variables = variables;
        this.exchange = exchange;
        this.block = block;
        this.unit = unit;
    }

    /** Applies the rules to a plain read, whose other needs have been set. */
    void steerPlain() {
        steerBy(ruleOf(unit.statements));
    }

    /**
     * Applies its rule to a unit that only reads, whose other needs have been set.
     *
     * @param rule the {@link #ruleOfUnit}
     * @return the access that it needs then
     */
    Access steer(Access access, @Nullable ReadRule rule) {
        steerBy(rule);
        return rule != null && rule.isToMaster() ? Access.RULE : access;
    }

    /**
     * Returns the rule that decides about a unit of these statements, which only read, if it comes next.
     *
     * @return null if there is none, or the unit stays on the node of its block
     */
    @Nullable
    ReadRule ruleOfUnit(List<Statement> statements) {
        boolean stays = exchange.isBound() && block.isOpen() && !exchange.isOwnTransaction();
        return stays || areInBlockThatMayWrite(statements) ? null : ruleOf(statements);
    }

    /** Rules do not concern such a block, even as long as it reads on Satellites. */
    private boolean areInBlockThatMayWrite(List<Statement> statements) {
        return block.isOpen()
                ? !block.isReadOnly()
                : !statements.isEmpty()
                        && statements.getFirst() instanceof Statement.Begin begin
                        && !begin.readOnly().orElse(variables.defaults().readOnly());
    }

    private void steerBy(@Nullable ReadRule rule) {
        unit.rule = rule;
        if (rule != null) {
            unit.admission().needs().sentTo(rule.destination());
        }
    }

    private @Nullable ReadRule ruleOf(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.DeclareCursor cursor) {
                statement = cursor.query();
            }
            if (statement instanceof Statement.Read read) {
                ReadRules rules = loop.rules(read.marks().generation());
                return rules == null ? null : rules.of(read.marks(), ofSession(rules));
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // Other rules are other objects.
    private long ofSession(ReadRules rules) {
        BackendSettings now = variables.settings();
        if (rules != rulesOfSession || !now.equals(settings)) {
            settings = now;
            rulesOfSession = rules;
            ofSession = rules.ofSession(pool.database(), pool.user(), variables.applicationName());
        }
        return ofSession;
    }
}
