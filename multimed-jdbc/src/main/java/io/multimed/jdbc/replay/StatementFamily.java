package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.engine.Reading;
import io.multimed.jdbc.engine.SqlRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** An engine that is kept in step by executing statements again, according to its description. Any thread. */
final class StatementFamily implements EngineFamily {
    private final JdbcEngine engine;

    StatementFamily(JdbcEngine engine) {
        this.engine = engine;
    }

    /** Returns the class of all descriptions of this engine. */
    Class<?> description() {
        return engine.getClass();
    }

    /** Loads the engine's driver. */
    void load() throws SQLException {
        Asked.of(engine, () -> {
            engine.load();
            return engine;
        });
    }

    SqlRules rules() throws SQLException {
        return Asked.of(engine, engine::sql);
    }

    /** Whether rows must be read before the end of the transaction that searches for them. */
    boolean scrolls() throws SQLException {
        return Asked.of(engine, engine::reading) == Reading.SCROLLED;
    }

    /** Whether each definition is a transaction of its own. */
    boolean definesAlone() throws SQLException {
        return !Asked.of(engine, engine::definitionsAreTransactional);
    }

    /** Opens a connection to the engine without replicas. */
    Connection alone(String url, Properties credentials) throws SQLException {
        return Asked.of(engine, () -> Jdbc.connect(engine, url, credentials));
    }

    @Override
    public MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException {
        return Asked.of(engine, () -> {
            engine.check(url);
            StatementMaster master = new StatementMaster(engine, url, credentials, null);
            try {
                master.inspect(judge(engine.sql()));
                return master;
            } catch (SQLException | RuntimeException | LinkageError e) {
                master.release();
                throw e;
            }
        });
    }

    private static JdbcEngine.Judge judge(SqlRules rules) {
        return (what, text) -> {
            String obstacle = ReplayJudge.obstacle(rules, text);
            if (obstacle != null) {
                throw Jdbc.refused("The database has a " + what + " with " + obstacle
                        + ", which might not mean the same on every replica: change it, or use replicas=1.");
            }
        };
    }

    @Override
    public String database(String url, Properties credentials) throws SQLException {
        String name = EngineFamily.super.database(url, credentials);
        return Asked.of(engine, () -> engine.database(name));
    }

    @Override
    public String settings(String url) throws SQLException {
        return Asked.of(engine, () -> engine.settings(url));
    }
}
