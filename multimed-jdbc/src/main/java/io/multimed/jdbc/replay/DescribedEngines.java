package io.multimed.jdbc.replay;

import io.multimed.jdbc.engine.JdbcEngine;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Finds the description of an engine. Those of Derby and SQLite are here, others come from the application or a container. Results
 * are not cached, since applications come and go. Any thread.
 */
public final class DescribedEngines {
    private static final List<JdbcEngine> OWN = List.of(new Derby(), new Sqlite());

    /** Largest number of failures accepted. A list of services that cannot be read may fail at every call. */
    private static final int MOST_FAILURES = 32;

    /** Descriptions by class name: a container may have the same ones as the application. */
    private final Map<String, JdbcEngine> found = new LinkedHashMap<>();

    private final List<Throwable> failures = new ArrayList<>();
    private final String name;

    private DescribedEngines(String name) {
        this.name = name;
    }

    /**
     * Finds a description.
     *
     * @return null if there is none of that name
     * @throws SQLException 08001 if there are several, or one that cannot be loaded and may be the one
     */
    public static @Nullable DescribedEngine named(String name) throws SQLException {
        DescribedEngines engines = new DescribedEngines(name);
        OWN.forEach(engines::add);
        engines.look(Thread.currentThread().getContextClassLoader());
        engines.look(JdbcEngine.class.getClassLoader());
        return engines.only();
    }

    private void add(JdbcEngine engine) {
        if (name.equals(engine.name())) {
            found.putIfAbsent(engine.getClass().getName(), engine);
        }
    }

    private void look(@Nullable ClassLoader by) {
        Iterator<JdbcEngine> services = ServiceLoader.load(JdbcEngine.class, by).iterator();
        while (failures.size() < MOST_FAILURES) {
            try {
                if (!services.hasNext()) {
                    return;
                }
                add(services.next());
            } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
                // Matters only if the requested engine is not found.
                failures.add(e);
            }
        }
    }

    private @Nullable DescribedEngine only() throws SQLException {
        if (found.size() > 1) {
            throw new SQLNonTransientConnectionException(
                    "The engine " + name + " is described by " + String.join(" and ", found.keySet())
                            + ": remove all but one of them.",
                    "08001");
        }
        if (!found.isEmpty()) {
            return new DescribedEngine(
                    name, new StatementFamily(found.values().iterator().next()));
        }
        if (!failures.isEmpty()) {
            SQLException none = new SQLNonTransientConnectionException(
                    "No engine " + name
                            + " is described, but a description could not be loaded: correct it, or remove it. "
                            + failures.get(0),
                    "08001",
                    failures.get(0));
            failures.stream().skip(1).forEach(none::addSuppressed);
            throw none;
        }
        return null;
    }
}
