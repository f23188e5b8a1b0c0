package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.endpoint.pg.backend.TimeLimit;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a session keeps its backend between transactions. After statements that may have left something there, the engine
 * is asked ({@link Residue}). Settings are carried to the next backend. Anything else binds the session to this backend until it is
 * gone.
 */
public final class Pinning {
    private static final String REMAKE_PLANS = "DISCARD PLANS;";

    private final PoolKey key;
    private final Exchange exchange;
    private final SessionVariables variables;
    private final Instructions instructions;
    private final SqlNames sqlNames;
    private final Supplier<Optional<Set<String>>> parametersSetByCode;

    /** The effect that the statements of the open transaction may leave behind. */
    private SessionEffect effect = SessionEffect.NONE;
    /** The effect without the latest unit. */
    private SessionEffect effectBefore = SessionEffect.NONE;

    private boolean pinned;
    private boolean asking;
    private boolean askedAgain;
    /** Number of statements that the engine was recorded to hold when it was asked. */
    private int preparedWhenAsked;

    /** Whether the engine was asked and sent DISCARD PLANS in the same query. */
    private boolean remakesPlans;

    /** Whether only settings were asked for, so that other residue is unchanged. */
    private boolean askedForSettingsOnly;

    /**
     * Whether the session has left something there that the engine does not report and that may stay until the engine session ends.
     */
    private boolean forGood;

    /** Whether the session may have reset its application name. */
    private boolean resetsName;

    /** Whether a function may have set the role. The engine does not list that among the settings. */
    private boolean mayHaveSetRole;

    /**
     * Whether the session has set a parameter of unknown name. No other backend can be given its value, so the engine session is
     * marked.
     */
    private boolean setSomethingUnknown;
    /** Whether such a parameter may exist on the backend. It stays there after its value is gone. */
    private boolean hasUnknownNames;

    /**
     * Creates the pinning of a session.
     *
     * @param parametersSetByCode the parameters with a qualified name that functions of the database set; empty if not known now
     */
    Pinning(
            PoolKey key,
            Exchange exchange,
            SessionVariables variables,
            Instructions instructions,
            SqlNames sqlNames,
            Supplier<Optional<Set<String>>> parametersSetByCode) {
        this.parametersSetByCode = parametersSetByCode;
        this.key = key;
        this.exchange = exchange;
        this.variables = variables;
        this.instructions = instructions;
        this.sqlNames = sqlNames;
    }

    /** Whether the session keeps its backend. */
    public boolean isPinned() {
        return pinned;
    }

    /** Whether the engine has been asked for the residue and has not answered yet. */
    boolean isAsking() {
        return asking;
    }

    /** Whether the transaction may have left something behind. */
    public boolean hasToAsk() {
        return effect != SessionEffect.NONE;
    }

    /** Notes the statements that are being sent. */
    public void sent(List<Statement> statements) {
        effectBefore = effect;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.Rollback || statement instanceof Statement.RollbackTo) {
                partUndone();
            }
            effect = effect.and(statement.effect());
            forGood |= statement.effect() == SessionEffect.HIDDEN;
            resetsName |= SessionVariables.mayResetApplicationName(statement);
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
                || statement instanceof Statement.Reset reset && reset.name() == null;
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
        asking = false;
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

    /** Notes that code, or SQL of which only the text is known, is being sent. */
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
        if (!hasToAsk()) {
            return false;
        }
        askedForSettingsOnly = effect == SessionEffect.SETTINGS && !mayHaveSetRole;
        mayHaveSetRole = false;
        if (!askedForSettingsOnly) {
            // The engine does not report parameters of qualified name that the code has set.
            exchange.bound().codeHasRun();
        }
        effect = SessionEffect.NONE;
        askedAgain = false;
        ask();
        return true;
    }

    private void ask() {
        asking = true;
        preparedWhenAsked = exchange.bound().prepared().size();
        boolean utf8 = exchange.clientSpeaksUtf8();
        Optional<String> nameToRestore = resetsName ? variables.applicationNameAtStart() : Optional.empty();
        resetsName = false;
        String query = askedForSettingsOnly
                ? Residue.settingsQuery(variables.placeholders().possible(), nameToRestore, utf8)
                : Residue.fullQuery(
                        key.user(),
                        variables.placeholders().possible(),
                        parametersSetByCode.get(),
                        nameToRestore,
                        utf8);
        if (setSomethingUnknown) {
            query = Residue.withUnknownNames(query);
        }
        remakesPlans = variables
                .names()
                .mayPlansBeOutdated(exchange.bound().prepared().plans().mayMissTemporaries());
        if (remakesPlans) {
            variables.names().plansAreRemade();
            query = REMAKE_PLANS + query;
        }
        Note note = new Note(true, new Residue(utf8));
        if (askedAgain) {
            // Only now is it certain that no other statement precedes the answer.
            instructions.insist(Settings.READ_COMMITTED + Residue.unhurried(query, utf8), note);
        } else {
            instructions.sendOnce(Settings.READ_COMMITTED + query, note);
        }
    }

    /**
     * Asks after the next transaction. The client has sent it behind the question, and the engine must not be sent Multimed's
     * statements in the middle of it.
     */
    private void askLater() {
        effect = effect.and(askedForSettingsOnly ? SessionEffect.SETTINGS : SessionEffect.OPAQUE);
    }

    /**
     * Handles the engine's answer.
     *
     * @param residue null when the engine could not answer
     * @return whether the session can go on; false for a Satellite that could not answer, since its engine session cannot be kept
     *     for one client
     */
    public boolean answered(@Nullable Residue residue) {
        if (residue == null && remakesPlans) {
            variables.names().definitionsUndone();
        }
        if (residue == null && !exchange.isDrained()) {
            askLater();
            return true;
        }
        if (residue == null && !askedAgain) {
            // The client's own statement_timeout may have ended the question.
            askedAgain = true;
            ask();
            return true;
        }
        asking = false;
        BackendConnection backend = exchange.bound();
        boolean onMaster = exchange.onMaster();
        if (residue == null && !onMaster) {
            return false;
        }
        boolean hold = onMaster
                && (residue == null
                        || forGood
                        || setSomethingUnknown
                        || askedForSettingsOnly && pinned
                        || !residue.privateThings().isEmpty());
        if (hold && !pinned) {
            backend.keepPrivate();
        }
        hasUnknownNames |= setSomethingUnknown;
        if (residue != null) {
            setSomethingUnknown &= !onMaster;
            variables.are(residue.settingsMap());
            backend.mayHold(variables.placeholders().marking());
            if (!askedForSettingsOnly) {
                sqlNames.are(residue.prepared());
                backend.prepared().plans().hasTemporarySchema(residue.hasTemporarySchema());
                if (residue.preparedByMessages() != preparedWhenAsked) {
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
                backend.closeWhenReleased();
                hasUnknownNames = false;
            } else {
                backend.keepShared();
            }
        }
        return true;
    }
}
