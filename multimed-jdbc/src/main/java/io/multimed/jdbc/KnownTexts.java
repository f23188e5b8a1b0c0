package io.multimed.jdbc;

import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlTexts;
import io.multimed.jdbc.statements.StatementFamily;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What statements are that came before: for each engine, all of its databases together. Any thread. */
final class KnownTexts {
    private static final SqlTexts H2 = SqlTexts.all(Dialect.H2);
    private static final SqlTexts HSQLDB = SqlTexts.all(Dialect.HSQLDB);

    /** With the class, not the instance: those are made as they are needed, and go with the application that describes them. */
    private static final ClassValue<AtomicReference<@Nullable SqlTexts>> DESCRIBED = new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable SqlTexts> computeValue(Class<?> description) {
            return new AtomicReference<>();
        }
    };

    private KnownTexts() {}

    static SqlTexts of(MultimedUrl.Engine engine) throws SQLException {
        StatementFamily described = engine.described();
        if (described == null) {
            return engine.dialect() == Dialect.H2 ? H2 : HSQLDB;
        }
        AtomicReference<@Nullable SqlTexts> texts = DESCRIBED.get(described.description());
        SqlTexts known = texts.get();
        if (known == null) {
            // Two that come at once only recognise once more.
            known = SqlTexts.all(described.rules());
            texts.set(known);
        }
        return known;
    }
}
