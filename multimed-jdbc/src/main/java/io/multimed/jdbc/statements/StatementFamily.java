package io.multimed.jdbc.statements;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.engine.SqlRules;
import io.multimed.jdbc.sql.Definitions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Properties;

/** An engine that is kept in step by executing statements again. */
public final class StatementFamily implements EngineFamily {
    private final JdbcEngine engine;

    public StatementFamily(JdbcEngine engine) {
        this.engine = engine;
    }

    /** Asks a description, which may be anybody's. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws SQLException;
    }

    private <T> T asked(Question<T> question) throws SQLException {
        try {
            return question.ask();
        } catch (RuntimeException | LinkageError e) {
            throw wrong(engine, e);
        }
    }

    /** What to say when a description fails where it must not. */
    static SQLException wrong(JdbcEngine engine, Throwable error) {
        return new SQLNonTransientConnectionException(
                "The engine's description " + engine.getClass().getName()
                        + " failed: correct it, or connect by the engine's own driver. It failed with " + error,
                "08001",
                error);
    }

    /** A connection to the engine alone. */
    public Connection alone(String url, Properties credentials) throws SQLException {
        return asked(() -> Jdbc.connect(engine, url, credentials));
    }

    @Override
    public MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException {
        return asked(() -> opened(url, credentials));
    }

    private MasterEngine opened(String url, Properties credentials) throws SQLException {
        engine.check(url);
        StatementMaster master = new StatementMaster(engine, url, credentials, null);
        SqlRules rules = engine.sql();
        try {
            master.inspect((what, text) -> {
                String obstacle = Definitions.obstacle(rules, text);
                if (obstacle != null) {
                    throw Jdbc.refused("The database has a " + what + " with " + obstacle
                            + ", which might not mean the same" + " on every replica: change it, or use replicas=1.");
                }
            });
            return master;
        } catch (SQLException | RuntimeException | LinkageError e) {
            master.release();
            throw e;
        }
    }

    @Override
    public String database(String url, Properties credentials) throws SQLException {
        String name = EngineFamily.super.database(url, credentials);
        return asked(() -> engine.database(name));
    }

    @Override
    public String settings(String url) {
        return engine.settings(url);
    }
}
