package io.multimed.jdbc.backend;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlTexts;
import java.sql.SQLException;
import java.util.Properties;

/**
 * An engine from which the rows that a transaction has changed are captured.
 *
 * @param driver the class of its driver
 * @param artifact the library in which the driver lies
 */
public record CapturedEngine(String name, SqlTexts texts, String driver, String artifact) implements InProcessEngine {
    public static final InProcessEngine H2 =
            new CapturedEngine("h2", SqlTexts.all(Dialect.H2), "org.h2.Driver", "com.h2database:h2");
    public static final InProcessEngine HSQLDB = new CapturedEngine(
            "hsqldb", SqlTexts.all(Dialect.HSQLDB), "org.hsqldb.jdbc.JDBCDriver", "org.hsqldb:hsqldb");

    @Override
    public Dialect dialect() {
        return texts.dialect();
    }

    @Override
    public void load() throws SQLException {
        EngineDriver.load(name, driver, artifact);
    }

    @Override
    public boolean capturesRows() {
        return true;
    }

    @Override
    public Opened connect(EmbeddedOptions options, Properties credentials, ReplicaListener listener)
            throws SQLException {
        return new Opened(EmbeddedDatabases.connect(options, credentials, listener), Propagation.UNRECORDED);
    }
}
