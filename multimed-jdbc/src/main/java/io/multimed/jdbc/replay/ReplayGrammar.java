package io.multimed.jdbc.replay;

import io.multimed.jdbc.engine.SqlRules;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.Grammar;
import io.multimed.jdbc.sql.ReadJudge;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlToken;
import java.util.List;

/** The statements of a described engine, whose changes are executed again. */
record ReplayGrammar(SqlRules rules) implements Grammar {
    @Override
    public Dialect dialect() {
        return Dialect.DESCRIBED;
    }

    @Override
    public SqlText statement(String sql, List<SqlToken> tokens) {
        RepeatedStatement statement = new RepeatedStatement(rules, sql, tokens);
        SqlToken first = tokens.get(0);
        if (RepeatedStatement.changes(tokens)) {
            return statement.change(SqlKind.CHANGE);
        }
        if (!first.is('(') && !first.is("SELECT") && !first.is("VALUES") && !first.is("WITH")) {
            return statement.recognise();
        }
        SqlText query = ReadJudge.query(rules::mayQuery, sql, tokens);
        return query.isRead() ? query : statement.queryOnMaster();
    }

    @Override
    public boolean hasBodies() {
        return rules.defines("CREATE TRIGGER");
    }

    @Override
    public SqlText tooLong(String sql, int most) {
        return SqlText.refused(sql, "A statement of more than " + most + " characters is not looked into.");
    }

    /** Returns the text of several statements, which are always executed one by one, since each is recorded by itself. */
    @Override
    public SqlText several(String sql, List<SqlText> parts) {
        return SqlText.several(sql, parts);
    }
}
