package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.settings.Login;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code multimed.snapshot = transaction}: a read-only transaction under READ COMMITTED runs on one snapshot, on whatever
 * node. The engine is told to run it under REPEATABLE READ, and says so when asked for {@code transaction_isolation}.
 *
 * <p>Where BEGIN and the first statement come in one unit, only the engine session's default can do that in time, which
 * is undone when the transaction is over. So a BEGIN that names READ COMMITTED itself and comes together with what it is
 * to read keeps it, as does one among several transactions in a single string.
 */
public final class OneSnapshot {
    private static final String REPEATABLE_READ = "repeatable read";

    private final Exchange exchange;
    private final TransactionBlock block;
    private final SessionVariables variables;
    private final AwaitingEngine engine;
    private final Instructions instructions;

    /** Whose default was changed for the present transaction. */
    private @Nullable BackendConnection changed;

    /** What is about to be sent begins a transaction under the changed default. */
    private boolean beginning;

    OneSnapshot(
            Exchange exchange,
            TransactionBlock block,
            SessionVariables variables,
            AwaitingEngine engine,
            Instructions instructions) {
        this.exchange = exchange;
        this.block = block;
        this.variables = variables;
        this.engine = engine;
        this.instructions = instructions;
    }

    /** The unit has been placed and is about to be sent. @return false when replies must be awaited first */
    public boolean prepare(List<Statement> statements) {
        beginning = false;
        if (changed != null && changed == exchange.backend() && !block.isOpen()) {
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            restore();
        }
        if (!variables.snapshotPerTransaction()) {
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

    /** The statements of the unit have been made known to the block. */
    public void sent() {
        if (beginning && block.isOpen()) {
            block.underRepeatableRead();
        }
        beginning = false;
    }

    /**
     * No transaction is open and the session keeps its backend: the engine session is to be again what the client knows.
     * One that is given back needs it not, since whoever takes it tells it all settings.
     */
    public void restore() {
        BackendConnection backend = changed;
        changed = null;
        if (backend != null && backend == exchange.backend()) {
            instructions.settings(variables.settings());
        }
    }

    private void changeDefault() {
        BackendConnection backend = exchange.bound();
        changed = backend;
        Map<String, String> values = new HashMap<>(variables.settings().values());
        values.put(Login.ISOLATION, REPEATABLE_READ);
        instructions.settings(new Settings(values));
    }

    /** A single transaction that leaves its isolation level to the default, with more in it than its control. */
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
