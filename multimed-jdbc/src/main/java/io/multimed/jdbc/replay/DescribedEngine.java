package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.jdbc.backend.InProcessEngine;
import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.engine.SqlRules;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlTexts;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An engine that is known by its description. Without Satellites its driver does everything itself. */
public final class DescribedEngine implements InProcessEngine {
    /** The rules of a description, with the texts recognised by them. */
    private record Known(SqlRules rules, SqlTexts texts) {}

    /**
     * Caches by description class, not by instance: instances are made as needed, and the class is unloaded with the application
     * that has it.
     */
    private static final ClassValue<AtomicReference<@Nullable Known>> KNOWN = new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable Known> computeValue(Class<?> description) {
            return new AtomicReference<>();
        }
    };

    private final String name;
    private final StatementFamily family;

    DescribedEngine(String name, StatementFamily family) {
        this.name = name;
        this.family = family;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Dialect dialect() {
        return Dialect.DESCRIBED;
    }

    @Override
    public void load() throws SQLException {
        family.load();
    }

    @Override
    public SqlTexts texts() throws SQLException {
        return known().texts();
    }

    /** Returns the rules of its description. */
    public SqlRules rules() throws SQLException {
        return known().rules();
    }

    private Known known() throws SQLException {
        AtomicReference<@Nullable Known> cached = KNOWN.get(family.description());
        Known known = cached.get();
        if (known == null) {
            SqlRules rules = family.rules();
            // Two concurrent calls only recognise texts once more.
            known = new Known(rules, SqlTexts.all(new ReplayGrammar(rules)));
            cached.set(known);
        }
        return known;
    }

    @Override
    public boolean capturesRows() {
        return false;
    }

    @Override
    public Opened connect(EmbeddedOptions options, Properties credentials, ReplicaListener listener)
            throws SQLException {
        // First the steps in which a description may fail, while there is nothing to be closed.
        SqlRules rules = rules();
        boolean scrolls = family.scrolls();
        boolean definesAlone = family.definesAlone();
        if (options.replicas() == 1) {
            return new Opened(
                    EmbeddedDatabases.alone(options, family.alone(options.engineUrl(), credentials)),
                    Propagation.UNRECORDED);
        }
        EmbeddedSession runtime = EmbeddedDatabases.connect(family, options, credentials, listener);
        return new Opened(runtime, new StatementPropagation(runtime, rules, scrolls, definesAlone));
    }
}
