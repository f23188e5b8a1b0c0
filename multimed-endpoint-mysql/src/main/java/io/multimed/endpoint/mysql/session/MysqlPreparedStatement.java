package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.sql.mysql.MysqlStatement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the client has prepared by COM_STMT_PREPARE. The client knows it by a number of its own. The Master has prepared it, and
 * prepares it again if the session has another connection there. A Satellite prepares a read before it executes it first.
 *
 * <p>A server keeps of a statement the settings with which it was prepared. So a Satellite may prepare it only while the session's settings
 * are the same.
 */
final class MysqlPreparedStatement {
    private final int number;
    private final int parameters;
    private final PreparedText origin;
    private final MysqlStatement execution;
    private final PreparedOnMaster onMaster = new PreparedOnMaster();
    private final ParametersAhead ahead;
    private final String shape;
    private int columns;
    private byte @Nullable [] types;
    private @Nullable SatelliteConnection cursor;

    /**
     * @param number that the client knows
     * @param columns of its results; 0 if it has none
     * @param statement the properties of the text
     * @param counts of what is kept for all clients
     */
    MysqlPreparedStatement(
            int number,
            int parameters,
            int columns,
            PreparedText origin,
            MysqlStatement statement,
            PreparedCounts counts) {
        ahead = new ParametersAhead(counts);
        this.number = number;
        this.parameters = parameters;
        this.columns = columns;
        this.origin = origin;
        boolean isRead = statement.isRead() && origin.isKept();
        shape = isRead && !statement.tables().isEmpty() && origin.areParametersCompared() ? statement.shape() : "";
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
                // What an execution sets is told with its reply, but its text does not show it.
                statement.leavesNothing() && !statement.isExplained(),
                statement.readsNoRows());
    }

    /** Returns the client's number. */
    int number() {
        return number;
    }

    int parameters() {
        return parameters;
    }

    /** Returns how many columns the client knows its results to have. */
    int columns() {
        return columns;
    }

    void columns(int present) {
        columns = present;
    }

    PreparedText origin() {
        return origin;
    }

    PreparedOnMaster onMaster() {
        return onMaster;
    }

    /** Returns the payload that prepares it. */
    byte[] text() {
        return origin.payload();
    }

    byte[] database() {
        return origin.database();
    }

    /** Returns the properties of an execution. */
    MysqlStatement execution() {
        return execution;
    }

    /** Returns the shape by which executions on shared connections are known; empty if there are none, or it reads no tables. */
    String shape() {
        return shape;
    }

    /** Whether another connection to the Master can be made to execute the statement as this one does. */
    boolean canMove(SessionState state) {
        return origin.isKept() && onMaster.isPlain() && origin.canBeRestored(state);
    }

    /** Takes over the types that an execution brings. @return the execution with its types, as every engine understands it */
    ExecuteMessage withTypes(ExecuteMessage execution) {
        if (execution.types() != null) {
            types = execution.types();
            onMaster.typesAreKnown();
        }
        return execution.with(types);
    }

    byte @Nullable [] types() {
        return types;
    }

    /** Whether the Master does not know the parameters' types, since another connection has executed what brought them. */
    boolean masterNeedsTypes() {
        return onMaster.lacks(types);
    }

    /** Records that the Master has been sent an execution. */
    void sentToMaster() {
        onMaster.executes(types);
        leaveCursor(null);
    }

    /** Records that the types are only the Master's to know from now on. */
    void forgetTypes() {
        types = null;
        onMaster.typesAreOthers();
    }

    /** Returns the parameters that were sent ahead, as long as no engine has them. */
    ParametersAhead ahead() {
        return ahead;
    }

    /** Keeps a parameter that was sent ahead. @return false if it has to go to the Master, with all that was kept */
    boolean keepLongData(byte[] payload) {
        ahead.exist();
        return !onMaster.hasLongData() && origin.isKept() && ahead.keep(payload);
    }

    /** Whether a Satellite can execute the statement just as well: the Master holds nothing that an execution needs. */
    boolean isFreeForSatellites() {
        return (parameters == 0 || types != null) && !onMaster.hasLongData();
    }

    /** Forgets parameters that were sent ahead, and cursors. */
    void reset() {
        ahead.reset();
        onMaster.reset();
        leaveCursor(null);
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
