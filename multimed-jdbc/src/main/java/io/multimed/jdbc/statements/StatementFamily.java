package io.multimed.jdbc.statements;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.util.Properties;

/** Engines that are kept in step by executing statements again. */
public final class StatementFamily implements EngineFamily {
    private final Adapter adapter;

    private StatementFamily(Adapter adapter) {
        this.adapter = adapter;
    }

    public static StatementFamily derby() {
        return new StatementFamily(new Derby());
    }

    public static StatementFamily sqlite() {
        return new StatementFamily(new Sqlite());
    }

    @Override
    public MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException {
        adapter.check(url);
        StatementMaster master = new StatementMaster(adapter, url, credentials, null);
        try {
            master.inspect();
            return master;
        } catch (SQLException e) {
            master.release();
            throw e;
        }
    }

    @Override
    public String database(String url, Properties credentials) throws SQLException {
        return adapter.database(EngineFamily.super.database(url, credentials));
    }

    @Override
    public String settings(String url) {
        return adapter.settings(url);
    }
}
