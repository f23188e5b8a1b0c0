package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The question to the engine for the residue of the transaction that has ended. If the engine cannot answer, the question is asked
 * once more.
 */
public final class ResidueQuestion {
    private static final String REMAKE_PLANS = "DISCARD PLANS;";

    private final PoolKey key;
    private final Exchange exchange;
    private final SessionVariables variables;
    private final Instructions instructions;
    private final Supplier<Optional<Set<String>>> parametersSetByCode;

    private boolean asking;
    private boolean askedAgain;
    /** Number of statements that the engine was recorded to hold when it was asked. */
    private int preparedWhenAsked;

    /** Whether the engine was asked and sent DISCARD PLANS in the same query. */
    private boolean remakesPlans;

    /** Whether only settings were asked for, so that other residue is unchanged. */
    private boolean settingsOnly;

    /** Whether the session may have reset its application name. */
    private boolean resetsName;

    /**
     * Creates the question of a session.
     *
     * @param parametersSetByCode the parameters with a qualified name that functions of the database set; empty if not known now
     */
    public ResidueQuestion(
            PoolKey key,
            Exchange exchange,
            SessionVariables variables,
            Instructions instructions,
            Supplier<Optional<Set<String>>> parametersSetByCode) {
        this.key = key;
        this.exchange = exchange;
        this.variables = variables;
        this.instructions = instructions;
        this.parametersSetByCode = parametersSetByCode;
    }

    /** Whether the engine has been asked and has not answered yet. */
    boolean isUnderWay() {
        return asking;
    }

    /** Whether only settings were asked for, so that other residue is unchanged. */
    boolean isForSettingsOnly() {
        return settingsOnly;
    }

    /** Notes that the session may have reset its application name, which the next question restores. */
    void nameIsReset() {
        resetsName = true;
    }

    /**
     * Asks the engine.
     *
     * @param onlySettings whether nothing but settings can have been left behind
     * @param unknownNames whether parameters of unknown name may have been set
     */
    void ask(boolean onlySettings, boolean unknownNames) {
        settingsOnly = onlySettings;
        askedAgain = false;
        send(unknownNames);
    }

    /**
     * Asks the engine, which could not answer, a second time.
     *
     * @param unknownNames whether parameters of unknown name may have been set
     * @return whether it has been asked; false if that was the second time
     */
    boolean askAgain(boolean unknownNames) {
        if (askedAgain) {
            return false;
        }
        // The client's own statement_timeout may have ended the question.
        askedAgain = true;
        send(unknownNames);
        return true;
    }

    private void send(boolean unknownNames) {
        asking = true;
        preparedWhenAsked = exchange.bound().prepared().size();
        boolean utf8 = exchange.clientSpeaksUtf8();
        Optional<String> nameToRestore = resetsName ? variables.applicationNameAtStart() : Optional.empty();
        resetsName = false;
        String query = settingsOnly
                ? Residue.settingsQuery(variables.placeholders().possible(), nameToRestore, utf8)
                : Residue.fullQuery(
                        key.user(),
                        variables.placeholders().possible(),
                        parametersSetByCode.get(),
                        nameToRestore,
                        utf8);
        if (unknownNames) {
            query = Residue.withUnknownNames(query);
        }
        remakesPlans =
                variables.names().mayPlansBeOutdated(exchange.bound().plans().mayMissTemporaries());
        if (remakesPlans) {
            variables.names().plansAreRemade();
            query = REMAKE_PLANS + query;
        }
        Note note = new Note(true, new Residue(utf8));
        if (askedAgain) {
            // Only now is it certain that no other statement precedes the answer.
            instructions.insist(BackendSettings.READ_COMMITTED + Residue.unhurried(query, utf8), note);
        } else {
            instructions.sendOnce(BackendSettings.READ_COMMITTED + query, note);
        }
    }

    /** Notes that the engine could not answer. */
    void failed() {
        if (remakesPlans) {
            variables.names().definitionsUndone();
        }
    }

    /** Ends the question, because the engine has answered it or is gone. */
    void end() {
        asking = false;
    }

    /** Whether the engine holds as many prepared statements as it was recorded to hold when it was asked. */
    boolean confirmsPrepared(Residue residue) {
        return residue.preparedByMessages() == preparedWhenAsked;
    }
}
