package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.settings.ChosenSettings;
import io.multimed.endpoint.pg.session.settings.Login;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code multimed.snapshot = transaction}: a read-only transaction under READ COMMITTED runs on one snapshot, on any
 * node. The engine runs it under REPEATABLE READ, and reports that level when asked for {@code transaction_isolation}.
 *
 * <p>Where BEGIN and the first statement come in one unit, only the engine session's default can set the level in time; it is
 * restored when the transaction is over. So a BEGIN that names READ COMMITTED itself and comes together with its reads keeps that
 * level. The same applies to one of several transactions in a single string.
 */
public final class OneSnapshot {
    private static final String REPEATABLE_READ = "repeatable read";

    private final Exchange exchange;
    private final TransactionBlock block;
    private final SessionVariables variables;
    private final AwaitingEngine engine;
    private final Instructions instructions;
    private final ChosenSettings chosen;

    /** The connection whose default was changed for the present transaction; null if there is none. */
    private @Nullable BackendConnection changed;

    /** Whether the unit about to be sent begins a transaction under the changed default. */
    private boolean beginning;

    public OneSnapshot(
            Exchange exchange,
            TransactionBlock block,
            SessionVariables variables,
            ChosenSettings chosen,
            AwaitingEngine engine,
            Instructions instructions) {
        this.exchange = exchange;
        this.block = block;
        this.variables = variables;
        this.chosen = chosen;
        this.engine = engine;
        this.instructions = instructions;
    }

    /** Whether no connection has a changed default. */
    public boolean isIdle() {
        return changed == null;
    }

    /**
     * Prepares the engine for the unit, which has been placed and is about to be sent.
     *
     * @return false when replies must be awaited first
     */
    public boolean prepare(List<Statement> statements) {
        beginning = false;
        if (changed != null && changed == exchange.backend() && !block.isOpen()) {
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            restore();
        }
        if (!chosen.snapshotPerTransaction()) {
            return true;
        }
        if (!block.isOpen()) {
            if (beginsAndReads(statements)) {
                changeDefault();
                beginning = true;
            }
            return true;
        }
        if (!block.isReadOnly()
                || block.isolation().compareTo(Isolation.READ_COMMITTED) > 0
                || block.hasSnapshot()
                || onlyControls(statements)) {
            return true;
        }
        if (!exchange.isDrained()) {
            return engine.awaitReplies();
        }
        if (exchange.status() == 'T') {
            instructions.send("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", Note.INTERNAL);
            block.underRepeatableRead();
        }
        return true;
    }

    /** Notes that the block has received the unit's statements. */
    public void sent() {
        if (beginning && block.isOpen()) {
            block.underRepeatableRead();
        }
        beginning = false;
    }

    /**
     * Restores the engine session's settings as the client knows them, when no transaction is open and the session keeps its
     * backend. A backend that is given back needs no restoring, since its next session sends it all settings.
     */
    public void restore() {
        BackendConnection backend = changed;
        changed = null;
        if (backend != null && backend == exchange.backend()) {
            instructions.settings(backend, variables.settings());
        }
    }

    private void changeDefault() {
        BackendConnection backend = exchange.bound();
        changed = backend;
        Map<String, String> values = new HashMap<>(variables.settings().values());
        values.put(Login.ISOLATION, REPEATABLE_READ);
        instructions.settings(backend, new BackendSettings(values));
    }

    /**
     * Whether the statements are a single transaction that leaves its isolation level to the default and contains more than
     * transaction control.
     */
    private boolean beginsAndReads(List<Statement> statements) {
        if (statements.size() < 2
                || !(statements.getFirst() instanceof Statement.Begin begin)
                || begin.isolation().isPresent()
                || variables.defaults().isolation().compareTo(Isolation.READ_COMMITTED) > 0
                || !begin.readOnly().orElse(variables.defaults().readOnly())) {
            return false;
        }
        for (int i = 1; i < statements.size(); i++) {
            boolean last = i == statements.size() - 1;
            switch (statements.get(i)) {
                case Statement.Begin ignored -> {
                    return false;
                }
                case Statement.SetTransaction ignored -> {
                    return false;
                }
                case Statement.Commit commit
                when !last || commit.chain() -> {
                    return false;
                }
                case Statement.Rollback rollback
                when !last || rollback.chain() -> {
                    return false;
                }
                default -> {}
            }
        }
        return !onlyControls(statements);
    }

    private static boolean onlyControls(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            switch (statements.get(i)) {
                case Statement.Begin ignored -> {}
                case Statement.SetTransaction ignored -> {}
                case Statement.Commit ignored -> {}
                case Statement.Rollback ignored -> {}
                case Statement.Empty ignored -> {}
                default -> {
                    return false;
                }
            }
        }
        return true;
    }
}
