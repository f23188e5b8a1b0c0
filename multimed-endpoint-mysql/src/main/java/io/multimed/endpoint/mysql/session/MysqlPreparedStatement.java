package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.sql.mysql.MysqlStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the client has prepared by COM_STMT_PREPARE. The Master has prepared it, and the client knows the Master's number. A
 * Satellite prepares a read before it executes it first.
 *
 * <p>A server keeps of a statement the settings with which it was prepared. So a Satellite may prepare it only while the session's settings
 * are the same.
 */
final class MysqlPreparedStatement {
    /** Bytes of parameters sent ahead that are kept. With more the Master executes the statement. */
    private static final int MOST_LONG_DATA = 1 << 16;

    private final int number;
    private final int parameters;
    private final byte[] text;
    private final MysqlStatement execution;
    private final byte[] database;
    private final int generation;
    private @Nullable List<String> settings;
    private byte @Nullable [] types;
    private byte @Nullable [] typesOnMaster;
    private List<byte[]> longData = new ArrayList<>();
    private int longDataBytes;
    private boolean hasHadLongData;
    private boolean masterHasLongData;
    private boolean masterHasCursor;
    private @Nullable SatelliteConnection cursor;

    /**
     * @param text the command's payload; empty unless it is a read that Satellites may prepare
     * @param statement the properties of the text
     * @param database in which it was prepared
     * @param generation of the variables when it was prepared
     */
    MysqlPreparedStatement(
            int number, int parameters, byte[] text, MysqlStatement statement, byte[] database, int generation) {
        this.number = number;
        this.parameters = parameters;
        this.text = text;
        boolean isRead = text.length > 0;
        execution = new MysqlStatement(
                isRead,
                isRead ? statement.shape() : "",
                isRead ? statement.tables() : Set.of(),
                false,
                false,
                statement.kills(),
                statement.concernsLastStatement(),
                statement.setsNextTransaction(),
                statement.choosesTracking(),
                MysqlStatement.Boundary.NONE,
                statement.leavesNothing(),
                statement.readsNoRows());
        this.database = database;
        this.generation = generation;
    }

    int number() {
        return number;
    }

    int parameters() {
        return parameters;
    }

    /** Returns the payload that prepares it; empty if it is no read. */
    byte[] text() {
        return text;
    }

    byte[] database() {
        return database;
    }

    /** Returns the properties of an execution. */
    MysqlStatement execution() {
        return execution;
    }

    /** Whether preparing the text now gives the same statement. The session's settings must be known. */
    boolean canBePreparedNow(SessionState state) {
        MysqlVariables variables = state.variables();
        if (settings == null && generation == variables.generation()) {
            settings = variables.statements();
        }
        return Arrays.equals(database, state.database())
                && settings != null
                && (generation == variables.generation() || settings.equals(variables.statements()));
    }

    /** Takes over the types that an execution brings. @return the execution with its types, as every engine understands it */
    ExecuteMessage withTypes(ExecuteMessage execution) {
        if (execution.types() != null) {
            types = execution.types();
        }
        return execution.with(types);
    }

    byte @Nullable [] types() {
        return types;
    }

    /** Whether the Master does not know the parameters' types, since a Satellite has executed what brought them. */
    boolean masterNeedsTypes() {
        return types != null && !Arrays.equals(types, typesOnMaster);
    }

    /** Records that the Master has been sent an execution. */
    void sentToMaster() {
        typesOnMaster = types;
        masterHasLongData = false;
        leaveCursor(null);
    }

    /** Records that the types are only the Master's to know from now on. */
    void forgetTypes() {
        types = null;
        typesOnMaster = null;
    }

    /** Keeps a parameter that was sent ahead. @return false if it has to go to the Master, with all that was kept */
    boolean keepLongData(byte[] payload) {
        hasHadLongData = true;
        if (masterHasLongData || text.length == 0 || longDataBytes + payload.length > MOST_LONG_DATA) {
            return false;
        }
        longData.add(payload);
        longDataBytes += payload.length;
        return true;
    }

    /** Returns the kept payloads. */
    List<byte[]> longData() {
        return longData;
    }

    /** Returns the kept payloads, which are kept no longer. */
    List<byte[]> takeLongData() {
        List<byte[]> taken = longData;
        longData = new ArrayList<>();
        longDataBytes = 0;
        return taken;
    }

    /** Records that the Master gets all parameters that are sent ahead. */
    void longDataIsMasters() {
        masterHasLongData = true;
    }

    /** Whether a Satellite can execute the statement just as well: the Master holds nothing that an execution needs. */
    boolean isFreeForSatellites() {
        return (parameters == 0 || types != null) && !masterHasLongData;
    }

    /** Whether Satellites may have kept an error of parameters that were sent ahead. */
    boolean isSoiled() {
        return hasHadLongData;
    }

    /** Forgets parameters that were sent ahead, and cursors. */
    void reset() {
        takeLongData();
        masterHasLongData = false;
        masterHasCursor = false;
        leaveCursor(null);
    }

    boolean masterHasCursor() {
        return masterHasCursor;
    }

    void masterHasCursor(boolean has) {
        masterHasCursor = has;
    }

    /** Returns the connection on which the statement's cursor is open; null if there is none on a Satellite. */
    @Nullable
    SatelliteConnection cursor() {
        return cursor;
    }

    void cursor(@Nullable SatelliteConnection connection) {
        cursor = connection;
    }

    /**
     * Closes the cursor of an earlier execution, as the next execution does.
     *
     * @param next executes it; null for the Master
     */
    void leaveCursor(@Nullable SatelliteConnection next) {
        if (cursor != null && cursor != next) {
            cursor.forget(this);
        }
        cursor = null;
    }
}
