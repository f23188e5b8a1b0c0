package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a session keeps its backend between transactions. After statements that may have left something there, the
 * engine is asked ({@link Residue}): settings are carried to the next backend, anything else binds the session to this
 * one until it is gone.
 */
final class Pinning {
    private final PoolKey key;
    private final Exchange exchange;
    private final SessionVariables variables;
    private final Placing placing;
    private final SqlNames sqlNames;

    /** What the statements of the open transaction may leave behind. */
    private SessionEffect effect = SessionEffect.NONE;

    private boolean pinned;
    private boolean asking;
    private boolean askedAgain;
    /** The client wants to cancel what follows the question. */
    private boolean cancelAfterwards;

    /** What else there was before is there still. */
    private boolean askedForSettingsOnly;

    /** It has set a parameter whose name nobody knows, so no other backend can be told. */
    private boolean setSomethingUnknown;

    Pinning(PoolKey key, Exchange exchange, SessionVariables variables, Placing placing, SqlNames sqlNames) {
        this.key = key;
        this.exchange = exchange;
        this.variables = variables;
        this.placing = placing;
        this.sqlNames = sqlNames;
    }

    boolean isPinned() {
        return pinned;
    }

    /** Whether the engine has been asked what was left behind and has not answered yet. */
    boolean isAsking() {
        return asking;
    }

    /** Whether the transaction may have left something behind. */
    boolean hasToAsk() {
        return effect != SessionEffect.NONE;
    }

    /** Statements are being sent. */
    void sent(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            effect = effect.and(statement.effect());
            if (pinned && letsGo(statement)) {
                effect = effect.and(SessionEffect.PRIVATE);
            }
        }
    }

    /** Whether it may do away with what keeps the session on its backend. */
    private static boolean letsGo(Statement statement) {
        return statement instanceof Statement.Unlisten
                || statement instanceof Statement.CloseCursor
                || statement instanceof Statement.Deallocate
                || statement instanceof Statement.Discard;
    }

    /** What was sent runs elsewhere, from its beginning. */
    void nothingSent() {
        effect = SessionEffect.NONE;
    }

    static boolean setsByFunction(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update && update.effect() == SessionEffect.SETTINGS) {
                return true;
            }
        }
        return false;
    }

    /** SQL that sets parameters by a function is being sent. */
    void functionSets(String sql) {
        setSomethingUnknown |= !variables.mayBeSetBy(sql);
    }

    /** Whether the transaction that has ended may have left something: then the engine has been asked. */
    boolean askIfNeeded() {
        if (!hasToAsk()) {
            return false;
        }
        askedForSettingsOnly = effect == SessionEffect.SETTINGS;
        effect = SessionEffect.NONE;
        askedAgain = false;
        ask();
        return true;
    }

    private void ask() {
        asking = true;
        placing.sendInternal(
                exchange.bound(),
                askedForSettingsOnly
                        ? Residue.settingsQuery(variables.customNames())
                        : Residue.fullQuery(key.user(), variables.customNames()),
                new Note(true, new Residue()));
    }

    /** @param residue null when the engine could not tell */
    void answered(@Nullable Residue residue) {
        if (residue == null && !askedAgain) {
            // A cancel request for what ran before it may have come late.
            askedAgain = true;
            ask();
            return;
        }
        asking = false;
        BackendConnection backend = exchange.bound();
        boolean hold = residue == null
                || setSomethingUnknown
                || askedForSettingsOnly && pinned
                || !residue.privateThings().isEmpty();
        if (hold && !pinned) {
            backend.keepPrivate();
        }
        if (residue != null) {
            variables.are(residue.settingsMap());
            if (!askedForSettingsOnly) {
                sqlNames.are(residue.prepared());
            }
            backend.settings(residue.settings());
        }
        boolean wasPinned = pinned;
        pinned = hold;
        if (wasPinned && !hold) {
            backend.keepShared();
        }
        if (cancelAfterwards) {
            cancelAfterwards = false;
            backend.cancel();
        }
    }

    /** The client cancels what it has sent: the question itself must not be hit. */
    void cancel() {
        if (asking) {
            cancelAfterwards = !exchange.onlyInternal();
        } else {
            exchange.bound().cancel();
        }
    }
}
