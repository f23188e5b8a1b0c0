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
 * Whether a session keeps its backend between transactions. After statements that may have left something there, the
 * engine is asked ({@link Residue}): settings are carried to the next backend, anything else binds the session to this
 * one until it is gone.
 */
public final class Pinning {
    private static final String REMAKE_PLANS = "DISCARD PLANS;";

    private final PoolKey key;
    private final Exchange exchange;
    private final SessionVariables variables;
    private final Instructions instructions;
    private final SqlNames sqlNames;
    private final Supplier<Optional<Set<String>>> parametersSetByCode;

    /** What the statements of the open transaction may leave behind. */
    private SessionEffect effect = SessionEffect.NONE;
    /** The same without the latest unit. */
    private SessionEffect effectBefore = SessionEffect.NONE;

    private boolean pinned;
    private boolean asking;
    private boolean askedAgain;
    /** How many statements the engine was to hold when it was asked. */
    private int preparedWhenAsked;

    /** With the question the engine was told to make its plans anew. */
    private boolean remakesPlans;

    /** What else there was before is there still. */
    private boolean askedForSettingsOnly;

    /** What it has left there the engine does not tell of, and it may stay until the session ends. */
    private boolean forGood;

    /** It may have reset its application name. */
    private boolean resetsName;

    /** It has been told who it is by a function: the engine lists that among no settings. */
    private boolean mayHaveSetRole;

    /** It has set a parameter whose name nobody knows, so no other backend can be told; the engine has to note that. */
    private boolean setSomethingUnknown;
    /** Such a parameter may exist on the backend, and stays there when its value is gone. */
    private boolean hasUnknownNames;

    /** @param parametersSetByCode those with a qualified name that functions of the database set; empty if not known now */
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

    /** Whether the engine has been asked what was left behind and has not answered yet. */
    boolean isAsking() {
        return asking;
    }

    /** Whether the transaction may have left something behind. */
    public boolean hasToAsk() {
        return effect != SessionEffect.NONE;
    }

    /** Statements are being sent. */
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
                // Though the value may end with the transaction.
                effect = effect.and(SessionEffect.SETTINGS);
            }
            if (pinned && letsGo(statement)) {
                effect = effect.and(SessionEffect.PRIVATE);
            }
        }
    }

    /** The engine has answered with an error. */
    public void failed() {
        partUndone();
    }

    /** A part of the transaction is undone, or all of it; that may have defined objects. */
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

    /** Whether its timeout may come too late for the transaction that it limits, and hit what the engine session is sent next. */
    private static boolean hurries(Statement statement) {
        return statement instanceof Statement.Set set
                && set.local()
                && set.name().equals("statement_timeout")
                && TimeLimit.isShort(set.value());
    }

    /** Whether it may do away with what keeps the session on its backend. */
    private static boolean letsGo(Statement statement) {
        return statement instanceof Statement.Unlisten
                || statement instanceof Statement.CloseCursor
                || statement instanceof Statement.Deallocate
                || statement instanceof Statement.Discard
                || statement instanceof Statement.Reset reset && reset.name() == null;
    }

    /**
     * The unit that was sent last runs elsewhere, from its beginning; what its block has set before is set there again, and is
     * left behind there.
     */
    public void nothingSent() {
        effect = effectBefore;
    }

    /** The statements that were sent were lost with their Satellite. */
    public void lost() {
        effect = SessionEffect.NONE;
        mayHaveSetRole = false;
    }

    /**
     * The Satellite is gone that was to be asked what the session's transactions have left behind.
     *
     * @return whether that is known all the same
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

    /** Whether any of them sets parameters by a function. */
    public static boolean setsByFunction(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update && update.effect() == SessionEffect.SETTINGS) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is not known what any of them does, or code does it: its text may tell what it sets. */
    public static boolean runsCode(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i).effect().runsCode()) {
                return true;
            }
        }
        return false;
    }

    /** SQL of which only the text is known, or code, is being sent. */
    public void codeRuns(String sql) {
        setSomethingUnknown |= !variables.mayBeSetByCode(sql);
        mayHaveSetRole |= SessionVariables.mayBeRoleSetBy(sql);
    }

    /** SQL that sets parameters by a function is being sent. */
    public void functionSets(String sql) {
        setSomethingUnknown |= !variables.mayBeSetBy(sql);
        mayHaveSetRole |= SessionVariables.mayBeRoleSetBy(sql);
    }

    /** Whether the transaction that has ended may have left something: then the engine has been asked. */
    public boolean askIfNeeded() {
        if (!hasToAsk()) {
            return false;
        }
        askedForSettingsOnly = effect == SessionEffect.SETTINGS && !mayHaveSetRole;
        mayHaveSetRole = false;
        if (!askedForSettingsOnly) {
            // What it has set under a qualified name the engine does not tell.
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
            // Only now it is sure that nothing comes before the answer.
            instructions.insist(Settings.READ_COMMITTED + Residue.unhurried(query, utf8), note);
        } else {
            instructions.sendOnce(Settings.READ_COMMITTED + query, note);
        }
    }

    /** The client's next transaction has come behind the question: the engine must not be told anything amid that. */
    private void askLater() {
        effect = effect.and(askedForSettingsOnly ? SessionEffect.SETTINGS : SessionEffect.OPAQUE);
    }

    /**
     * @param residue null when the engine could not tell
     * @return whether the session can go on; a Satellite's engine session cannot be kept for one client
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
            // The client's own statement_timeout may have hit it.
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
