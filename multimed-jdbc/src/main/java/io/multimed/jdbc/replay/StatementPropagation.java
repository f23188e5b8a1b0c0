package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.backend.TransactionChanges;
import io.multimed.jdbc.engine.SqlRules;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Propagation by statements, which Satellites execute again. Refuses what would have another effect there. */
final class StatementPropagation implements Propagation {
    private final TransactionChanges changes;
    private final SqlRules rules;
    private final boolean scrolls;
    private final boolean definesAlone;

    StatementPropagation(EmbeddedSession runtime, SqlRules rules, boolean scrolls, boolean definesAlone) {
        this.changes = new RecordedChanges(runtime);
        this.rules = rules;
        this.scrolls = scrolls;
        this.definesAlone = definesAlone;
    }

    @Override
    public boolean records() {
        return true;
    }

    @Override
    public TransactionChanges changes() {
        return changes;
    }

    @Override
    public boolean definesAlone() {
        return definesAlone;
    }

    @Override
    public boolean isSerializable() {
        return true;
    }

    @Override
    public boolean scrolls() {
        return scrolls;
    }

    @Override
    public void checkCall() throws SQLException {
        throw Errors.notSupported("With propagation=statements nothing is called: prepare a statement instead.");
    }

    @Override
    public void checkStream(SqlText text) throws SQLException {
        if (!text.isRead()) {
            throw Errors.notSupported(
                    "With propagation=statements a parameter must be repeatable: give text and bytes by"
                            + " setString and setBytes, not as a stream or LOB.");
        }
    }

    @Override
    public void checkRowChange() throws SQLException {
        throw Errors.notSupported(
                "With propagation=statements rows are changed by statements, not through a result set.");
    }

    @Override
    public void checkCatalog(Connection engine, @Nullable String catalog) throws SQLException {
        if (!Objects.equals(catalog, engine.getCatalog())) {
            throw Errors.notSupported("With propagation=statements names are looked up in the database that the URL"
                    + " names: connect to another one by another URL.");
        }
    }

    @Override
    public void checkSchema(@Nullable String schema) throws SQLException {
        if (schema != null && rules.refuses(schema.toUpperCase(Locale.ROOT) + ".")) {
            throw Errors.notSupported("With propagation=statements names are not looked up in " + schema
                    + ", which replicas do not share.");
        }
    }
}
