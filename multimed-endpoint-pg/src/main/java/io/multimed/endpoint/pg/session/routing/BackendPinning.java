package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.TimeLimit;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.SchemaWatch;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a session keeps its backend between transactions. After statements that may have left something there, the engine
 * is asked ({@link Residue}). Settings are carried to the next backend. Anything else binds the session to this backend until it is
 * gone.
 *
 * <p>It has more fields than other classes, since it has a flag for each reason for which a connection may have to stay with its
 * session.
 */
public final class BackendPinning {
    private final Exchange exchange;
    private final SessionVariables variables;
    private final Instructions instructions;
    private final SqlNames sqlNames;
    private final ResidueQuestion question;
    private final SchemaWatch schema;

    /** The effect that the statements of the open transaction may leave behind. */
    private SessionEffect effect = SessionEffect.NONE;
    /** The effect without the latest unit. */
    private SessionEffect effectBefore = SessionEffect.NONE;

    private boolean pinned;
    /**
     * Whether the session has left something there that the engine does not report and that may stay until the engine session ends.
     */
    private boolean forGood;

    /** Whether a function may have set the role. The engine does not list that among the settings. */
    private boolean mayHaveSetRole;

    /**
     * Whether the session has set a parameter of unknown name. No other backend can be given its value, so the engine session is
     * marked.
     */
    private boolean setSomethingUnknown;
    /** Whether such a parameter may exist on the backend. It stays there after its value is gone. */
    private boolean hasUnknownNames;

    public BackendPinning(
            Exchange exchange,
            SessionVariables variables,
            Instructions instructions,
            SqlNames sqlNames,
            ResidueQuestion question,
            SchemaWatch schema) {
        this.exchange = exchange;
        this.variables = variables;
        this.instructions = instructions;
        this.sqlNames = sqlNames;
        this.question = question;
        this.schema = schema;
    }

    /** Whether the session keeps its backend. */
    public boolean isPinned() {
        return pinned;
    }

    /** Whether the session keeps no backend and no transaction has left anything behind. */
    public boolean isIdle() {
        return !pinned && !question.isUnderWay() && effect == SessionEffect.NONE && effectBefore == SessionEffect.NONE;
    }

    /** Whether the engine has been asked for the residue and has not answered yet. */
    boolean isAsking() {
        return question.isUnderWay();
    }

    /** Whether the transaction may have left something behind. */
    public boolean hasToAsk() {
        return effect != SessionEffect.NONE;
    }

    /** Notes the statements that are being sent. */
    public void sent(List<Statement> statements) {
        schema.sent();
        effectBefore = effect;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.Rollback || statement instanceof Statement.RollbackTo) {
                partUndone();
            }
            effect = effect.and(statement.effect());
            forGood |= statement.effect() == SessionEffect.HIDDEN;
            if (SessionVariables.mayResetApplicationName(statement)) {
                question.nameIsReset();
            }
            if (createsName(statement) || hurries(statement)) {
                // The name stays even if the value ends with the transaction.
                effect = effect.and(SessionEffect.SETTINGS);
            }
            if (pinned && letsGo(statement)) {
                effect = effect.and(SessionEffect.PRIVATE);
            }
        }
    }

    /** Handles an error of the engine. */
    public void failed() {
        partUndone();
    }

    /** Notes that a part of the transaction, or all of it, is undone, which may have defined objects. */
    private void partUndone() {
        if (effect.compareTo(SessionEffect.SETTINGS) > 0) {
            variables.names().definitionsUndone();
        }
    }

    private boolean createsName(Statement statement) {
        return statement instanceof Statement.Set set
                && set.local()
                && variables.placeholders().isNew(set.name());
    }

    /**
     * Whether the timeout that the statement sets may fire too late for the transaction and hit the next statement of the engine
     * session.
     */
    private static boolean hurries(Statement statement) {
        return statement instanceof Statement.Set set
                && set.local()
                && set.name().equals("statement_timeout")
                && TimeLimit.isShort(set.value());
    }

    /** Whether the statement may remove the reason why the session keeps its backend. */
    private static boolean letsGo(Statement statement) {
        return statement instanceof Statement.Unlisten
                || statement instanceof Statement.CloseCursor
                || statement instanceof Statement.Deallocate
                || statement instanceof Statement.Discard
                || (statement instanceof Statement.Reset reset && reset.name() == null);
    }

    /**
     * Restores the effect from before the latest unit, which runs elsewhere from its beginning. Settings that its block has made
     * before are made again there and are left behind there.
     */
    public void nothingSent() {
        effect = effectBefore;
    }

    /** Forgets the effects of statements that were lost with their Satellite. */
    public void lost() {
        effect = SessionEffect.NONE;
        mayHaveSetRole = false;
    }

    /**
     * Handles the loss of the Satellite that should have been asked for the residue.
     *
     * @return whether the residue is known all the same
     */
    boolean isLeftKnown(TransactionBlock block) {
        Map<String, @Nullable String> left = block.leftSettings();
        if (left == null) {
            return false;
        }
        question.end();
        if (!left.isEmpty()) {
            variables.haveBeenSet(left);
            block.leftNothing();
        }
        return true;
    }

    /** Whether any of the statements sets parameters by a function. */
    public static boolean setsByFunction(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update && update.effect() == SessionEffect.SETTINGS) {
                return true;
            }
        }
        return false;
    }

    /** Whether any of the statements is not understood or runs code. Its text may then show which parameters it sets. */
    public static boolean runsCode(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i).effect().runsCode()) {
                return true;
            }
        }
        return false;
    }

    /** Notes that code, or SQL whose text alone is known, is being sent. */
    public void codeRuns(String sql) {
        setSomethingUnknown |= !variables.mayBeSetByCode(sql);
        mayHaveSetRole |= SessionVariables.mayBeRoleSetBy(sql);
    }

    /** Notes that SQL is being sent that sets parameters by a function. */
    public void functionSets(String sql) {
        setSomethingUnknown |= !variables.mayBeSetBy(sql);
        mayHaveSetRole |= SessionVariables.mayBeRoleSetBy(sql);
    }

    /**
     * Asks the engine for the residue if the transaction that has ended may have left something.
     *
     * @return whether the engine has been asked
     */
    public boolean askIfNeeded() {
        // On a Satellite the connection is closed instead.
        if (exchange.onMaster() && schema.endsChanged()) {
            effect = effect.and(SessionEffect.OPAQUE);
        }
        if (!hasToAsk()) {
            return false;
        }
        boolean settingsOnly = effect == SessionEffect.SETTINGS && !mayHaveSetRole;
        mayHaveSetRole = false;
        if (!settingsOnly) {
            // The engine does not report parameters of qualified name that the code has set.
            exchange.bound().session().codeHasRun();
        }
        effect = SessionEffect.NONE;
        question.ask(settingsOnly, setSomethingUnknown);
        return true;
    }

    /**
     * Asks after the next transaction. The client has sent it behind the question, and the engine must not be sent Multimed's
     * statements in the middle of it.
     */
    private void askLater() {
        effect = effect.and(question.isForSettingsOnly() ? SessionEffect.SETTINGS : SessionEffect.OPAQUE);
    }

    /**
     * Handles the engine's answer.
     *
     * @param residue null when the engine could not answer
     * @return whether the session can go on; false for a Satellite that could not answer, since its engine session cannot be kept
     *     for one client
     */
    public boolean answered(@Nullable Residue residue) {
        if (residue == null) {
            question.failed();
        }
        if (residue == null && !exchange.isDrained()) {
            askLater();
            return true;
        }
        if (residue == null && question.askAgain(setSomethingUnknown)) {
            return true;
        }
        question.end();
        BackendConnection backend = exchange.bound();
        boolean onMaster = exchange.onMaster();
        if (residue == null && !onMaster) {
            return false;
        }
        boolean hold = onMaster
                && (residue == null
                        || forGood
                        || setSomethingUnknown
                        || (question.isForSettingsOnly() && pinned)
                        || !residue.privateThings().isEmpty());
        if (hold && !pinned) {
            backend.keepPrivate();
        }
        hasUnknownNames |= setSomethingUnknown;
        if (residue != null) {
            setSomethingUnknown &= !onMaster;
            variables.are(residue.settingsMap());
            backend.mayHold(variables.placeholders().marking());
            if (!question.isForSettingsOnly()) {
                sqlNames.are(residue.prepared());
                backend.plans().hasTemporarySchema(residue.hasTemporarySchema());
                if (!question.confirmsPrepared(residue)) {
                    if (exchange.isDrained()) {
                        instructions.closePrepared();
                    } else {
                        askLater();
                    }
                }
            }
            backend.settings(residue.settings());
        }
        boolean wasPinned = pinned;
        pinned = hold;
        if (wasPinned && !hold) {
            if (hasUnknownNames) {
                backend.session().closeWhenReleased();
                hasUnknownNames = false;
            } else {
                backend.keepShared();
            }
        }
        return true;
    }
}
