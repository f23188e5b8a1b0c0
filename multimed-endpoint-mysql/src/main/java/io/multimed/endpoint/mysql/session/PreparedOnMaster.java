package io.multimed.endpoint.mysql.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The state that one of the client's prepared statements has on the session's present connection to the Master. */
final class PreparedOnMaster {
    /** The Master's number; 0 if it is not prepared there. */
    private int number;

    private byte @Nullable [] types;
    private boolean hasLongData;
    private boolean hasCursor;
    /** Whether the Master still has parameters of an execution that it has not been sent. */
    private boolean owesReset;
    /** Whether the Master may have kept an error of parameters that were sent ahead. */
    private boolean soiled;
    /** Whether the Master alone knows the types of parameters. */
    private boolean knowsOtherTypes;
    /** Whether it could not be prepared there. */
    private boolean refused;
    /** Whether the client does not know yet that it has another number of columns now. */
    private boolean otherColumns;

    /** @param hasChanged whether it has another number of columns than the client knows */
    void prepared(int newNumber, boolean hasChanged) {
        forget();
        number = newNumber;
        otherColumns = hasChanged;
    }

    /** Records that the Master does not have the statement: the connection is another one. */
    void forget() {
        number = 0;
        types = null;
        hasLongData = false;
        hasCursor = false;
        owesReset = false;
        soiled = false;
        knowsOtherTypes = false;
        refused = false;
        otherColumns = false;
    }

    void refuse() {
        refused = true;
    }

    boolean isRefused() {
        return refused;
    }

    boolean isPrepared() {
        return number != 0;
    }

    int number() {
        return number;
    }

    /** Whether nothing but the types of parameters is there that another connection does not have. */
    boolean isPlain() {
        return !hasLongData && !hasCursor && !soiled && !knowsOtherTypes;
    }

    /** Whether the Master has been told other types of parameters, or none. */
    boolean lacks(byte @Nullable [] others) {
        return others != null && !Arrays.equals(others, types);
    }

    /**
     * Records that the Master has been sent an execution.
     *
     * @param told types of the parameters; null if it may have been told some that are not known
     */
    void executes(byte @Nullable [] told) {
        types = told;
        soiled |= hasLongData;
        hasLongData = false;
    }

    /** Records that the types that hold are not known. */
    void typesAreOthers() {
        types = null;
        knowsOtherTypes = true;
    }

    /** Records that the types that hold are known. */
    void typesAreKnown() {
        knowsOtherTypes = false;
    }

    boolean hasLongData() {
        return hasLongData;
    }

    /** Records that the Master gets parameters that are sent ahead. */
    void getsLongData() {
        hasLongData = true;
    }

    /** Records that the client was refused an execution, so that parameters that were sent ahead for it are void. */
    void isNotExecuted() {
        owesReset |= hasLongData;
    }

    /** Whether the Master has to reset the statement before it gets parameters or executes it. */
    boolean owesReset() {
        return owesReset;
    }

    /** Records that an execution has succeeded, so that no error has been kept. */
    void succeeded() {
        soiled = false;
    }

    /** Returns whether the next reply has to tell that there is another number of columns. */
    boolean takeOtherColumns() {
        boolean taken = otherColumns;
        otherColumns = false;
        return taken;
    }

    boolean hasCursor() {
        return hasCursor;
    }

    void hasCursor(boolean has) {
        hasCursor = has;
    }

    /** Records that the Master resets the statement. */
    void reset() {
        owesReset = false;
        hasLongData = false;
        hasCursor = false;
        soiled = false;
    }
}
