package io.multimed.jdbc.sql;

import java.util.List;

/** The statements of a Multimed server: only the state that they leave in its session matters. */
record ServerGrammar() implements Grammar {
    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public SqlText statement(String sql, List<SqlToken> tokens) {
        return ServerSession.recognise(sql, tokens);
    }

    @Override
    public boolean hasBodies() {
        return false;
    }

    @Override
    public SqlText several(String sql, List<SqlText> parts) {
        return ServerSession.join(sql, parts);
    }
}
