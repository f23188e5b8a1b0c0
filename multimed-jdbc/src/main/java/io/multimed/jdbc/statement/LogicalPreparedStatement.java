package io.multimed.jdbc.statement;

import io.multimed.engine.embedded.StatementRecorder.Bindings;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement of the application. It is prepared at once on the node where it would run now, so that errors of the engine
 * come at the expected time. On another node it is prepared when it first runs there, with the parameters set so far.
 */
class LogicalPreparedStatement extends DelegatingPreparedStatement {
    static final Execution QUERY = (self, physical, sql) -> self.answer(((PreparedStatement) physical).executeQuery());
    private static final Execution UPDATE = (self, physical, sql) -> ((PreparedStatement) physical).executeUpdate();
    private static final Execution LARGE_UPDATE =
            (self, physical, sql) -> ((PreparedStatement) physical).executeLargeUpdate();
    private static final Execution ANY = (self, physical, sql) -> ((PreparedStatement) physical).execute() ? 1 : 0;

    final SqlText text;
    private final Parameters parameters = new Parameters();
    /** A batch whose elements are executed one by one, because they are executed again on Satellites or are more than changes. */
    private final List<Parameters> single = new ArrayList<>();

    /** The present physical statement, which ran last or will run next. */
    private PreparedStatement physical;

    LogicalPreparedStatement(DriverSession session, StatementOwner owner, StatementForm form) throws SQLException {
        super(session, owner, form);
        this.text = session.recognise(form.sql());
        boolean masterOnly = form.masterOnly();
        Connection node = session.preparation(text, masterOnly);
        Statement prepared;
        try {
            prepared = on(node);
        } catch (SQLException e) {
            // The Master may know names that a Satellite does not, such as a table of this session alone.
            prepared = onMaster();
        }
        physical = (PreparedStatement) prepared;
    }

    private Statement onMaster() throws SQLException {
        try {
            return on(session.master());
        } catch (SQLException e) {
            throw session.failed(e) instanceof DriverSession.Thrown thrown ? thrown.error() : e;
        }
    }

    @Override
    PreparedStatement delegate() throws SQLException {
        return physical();
    }

    final PreparedStatement physical() throws SQLException {
        // If the node is gone, this call moves the statement to another one.
        living();
        return physical;
    }

    @Override
    final void moved(Statement to) throws SQLException {
        PreparedStatement prepared = (PreparedStatement) to;
        // Null while it is being prepared for the first time; then the parameters do not exist yet either.
        boolean first = physicalOrNull() == null;
        physical = prepared;
        if (!first) {
            parameters.replay(prepared);
            if (parameters.areBound()) {
                // Such parameters keep the statement on the Master, so there must be a new Master.
                parameters.clear();
                throw new SQLTransientConnectionException(
                        "The connection on which a stream or LOB was set was lost: set the parameters again.", "08006");
            }
        }
    }

    private @Nullable PreparedStatement physicalOrNull() {
        return physical;
    }

    @Override
    final boolean masterOnly() {
        return super.masterOnly() || parameters.areBound();
    }

    /** Whether the statement may ever run on another node. */
    @Override
    final boolean recordsParameters() {
        return session.mayMove(text) && form.kind() == StatementForm.Kind.PREPARED;
    }

    @Override
    final Parameters parameters() {
        return parameters;
    }

    /** Returns the statement on which a parameter is set now; the parameter is recorded afterwards. */
    @Override
    final PreparedStatement parameterTarget(int index, @Nullable Object value) throws SQLException {
        return Parameters.isUnrepeatable(value) ? unrepeatable(index) : delegate();
    }

    /** Returns the statement on which a parameter is set that cannot be set again. From now on the statement runs on the Master. */
    @Override
    final PreparedStatement unrepeatable(int index) throws SQLException {
        checkOpen();
        session.propagation().checkStream(text);
        if (recordsParameters()) {
            on(session.master());
            if (index > 0) {
                parameters.recordUnrepeatable(index);
            }
        }
        return physical();
    }

    @Override
    public void clearParameters() throws SQLException {
        delegate().clearParameters();
        parameters.clear();
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        run(text, QUERY);
        return takeAnswer();
    }

    @Override
    public int executeUpdate() throws SQLException {
        return (int) run(text, UPDATE);
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return run(text, LARGE_UPDATE);
    }

    @Override
    public boolean execute() throws SQLException {
        return run(text, ANY) != 0;
    }

    @Override
    public void addBatch() throws SQLException {
        checkOpen();
        Connection master = session.master();
        if (executesSingly()) {
            if (parameters.areBound()) {
                throw Errors.notSupported("A batch of this statement takes no streams or LOBs: execute it by itself.");
            }
            single.add(parameters.copy());
            return;
        }
        ((PreparedStatement) on(master)).addBatch();
        batched();
    }

    private boolean executesSingly() {
        return session.propagation().records() || text.kind().isSpecial();
    }

    @Override
    public int[] executeBatch() throws SQLException {
        if (!executesSingly()) {
            return super.executeBatch();
        }
        List<Parameters> elements = List.copyOf(single);
        single.clear();
        return session.propagation().records() && text.kind() == SqlKind.CHANGE
                ? RecordedBatch.execute(this, text, elements)
                : batch().oneByOne(elements.stream().map(this::element).toList());
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return executesSingly() ? Arrays.stream(executeBatch()).asLongStream().toArray() : super.executeLargeBatch();
    }

    private Batch.Element element(Parameters with) {
        return () -> run(text, (self, physical, sql) -> {
            PreparedStatement prepared = (PreparedStatement) physical;
            with.replay(prepared);
            return prepared.executeUpdate();
        });
    }

    @Override
    public void clearBatch() throws SQLException {
        single.clear();
        super.clearBatch();
    }

    @Override
    final @Nullable Bindings bound() {
        return parameters.copy()::replay;
    }

    @Override
    SqlText batchText() {
        return text.isRead() ? super.batchText() : text;
    }
}
