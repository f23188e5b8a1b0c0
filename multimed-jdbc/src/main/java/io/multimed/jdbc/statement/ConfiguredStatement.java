package io.multimed.jdbc.statement;

import java.sql.SQLException;
import java.sql.Statement;

/** The settings of the application on its statement. Each physical statement gets them. */
abstract class ConfiguredStatement extends DelegatingStatement {
    final PhysicalStatements physicals;

    ConfiguredStatement(PhysicalStatements physicals) {
        this.physicals = physicals;
    }

    private void set(String name, StatementSettings.Setting setting) throws SQLException {
        physicals.set(delegate(), name, setting);
    }

    @Override
    public void setMaxRows(int max) throws SQLException {
        set("maxRows", physical -> physical.setMaxRows(max));
    }

    @Override
    public void setLargeMaxRows(long max) throws SQLException {
        set("maxRows", physical -> physical.setLargeMaxRows(max));
    }

    @Override
    public void setMaxFieldSize(int max) throws SQLException {
        set("maxFieldSize", physical -> physical.setMaxFieldSize(max));
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        set("queryTimeout", physical -> physical.setQueryTimeout(seconds));
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        set("fetchSize", physical -> physical.setFetchSize(rows));
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        set("fetchDirection", physical -> physical.setFetchDirection(direction));
    }

    @Override
    public void setEscapeProcessing(boolean enable) throws SQLException {
        set("escapeProcessing", physical -> physical.setEscapeProcessing(enable));
    }

    @Override
    public void setCursorName(String name) throws SQLException {
        set("cursorName", physical -> physical.setCursorName(name));
    }

    @Override
    public void setPoolable(boolean poolable) throws SQLException {
        set("poolable", physical -> physical.setPoolable(poolable));
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        set("closeOnCompletion", Statement::closeOnCompletion);
    }
}
