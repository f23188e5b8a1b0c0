package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.session.DriverSession.Thrown;
import io.multimed.jdbc.session.DriverSession.Work;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;

/** Runs a session's definitions and other statements that may have changed the catalog. */
final class DefinitionExecution {
    private final DriverSession session;
    private final EmbeddedSession runtime;
    private final Propagation propagation;
    private final EmbeddedCatalog catalog;
    private final RunningStatement running;
    private final MasterWork work;

    DefinitionExecution(
            DriverSession session,
            EmbeddedSession runtime,
            Propagation propagation,
            EmbeddedCatalog catalog,
            RunningStatement running,
            MasterWork work) {
        this.session = session;
        this.runtime = runtime;
        this.propagation = propagation;
        this.catalog = catalog;
        this.running = running;
        this.work = work;
    }

    long run(SqlText text, Work onMaster) throws SQLException {
        if (propagation.records()) {
            return change(text, onMaster);
        }
        running.isOnMaster();
        if (text.kind() == SqlKind.SHUTDOWN) {
            // The statement ends the engine and with it every session, so there is nothing to propagate.
            session.rollback();
            return runtime.shutDown(() -> onMaster.run());
        }
        try {
            return runtime.changeCatalog(text.sql(), () -> onMaster.run());
        } finally {
            work.ended();
            catalog.changed();
        }
    }

    /** Runs a definition that is recorded like any other change. */
    private long change(SqlText text, Work onMaster) throws SQLException {
        if (propagation.definesAlone()) {
            // As the engine would, but through the runtime, so that the replicas receive the changes.
            session.commit();
        }
        session.enter(text, true);
        long result;
        try {
            result = onMaster.run();
            propagation.changes().executed(text, null, null);
        } catch (SQLException e) {
            throw ((Thrown) session.failed(e)).error();
        } catch (RuntimeException e) {
            session.failed(e);
            throw e;
        }
        session.leave();
        if (propagation.definesAlone()) {
            session.commit();
        }
        catalog.changed();
        return result;
    }
}
