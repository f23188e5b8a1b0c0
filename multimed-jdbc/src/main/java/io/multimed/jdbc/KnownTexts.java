package io.multimed.jdbc;

import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlTexts;
import io.multimed.jdbc.statements.StatementFamily;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The texts recognised before: one cache for each engine, for all its databases together. Any thread. */
final class KnownTexts {
    private static final SqlTexts H2 = SqlTexts.all(Dialect.H2);
    private static final SqlTexts HSQLDB = SqlTexts.all(Dialect.HSQLDB);

    /**
     * Caches by description class, not by instance: instances are made as needed, and the class is unloaded with the application
     * that has it.
     */
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
            // Two concurrent calls only recognise texts once more.
            known = SqlTexts.all(described.rules());
            texts.set(known);
        }
        return known;
    }
}
