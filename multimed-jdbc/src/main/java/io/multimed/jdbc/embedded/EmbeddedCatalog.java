package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.jdbc.sql.Catalog;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlTexts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a database's names for one user, read from the Master again after definitions have changed. Shared by the
 * sessions of that user; any thread. A statement may see a definition that another session makes at the same moment one statement
 * late. Then a misjudged statement is refused by the Satellite, which is read-only.
 */
final class EmbeddedCatalog {
    private static final Pattern LITERAL = Pattern.compile("'([^']*)'");

    private record Known(long version, Catalog catalog) {}

    /** The catalogs of all users of one database. */
    private static final class Shared {
        private final AtomicLong version = new AtomicLong(1);
        private final Map<String, EmbeddedCatalog> byUser = new ConcurrentHashMap<>();
    }

    private static final Map<EmbeddedDatabase, Shared> DATABASES = new WeakHashMap<>();

    private final Shared shared;
    private final Dialect dialect;
    private final SqlTexts texts;
    private volatile @Nullable Known known;

    private EmbeddedCatalog(Shared shared, Dialect dialect, SqlTexts texts) {
        this.shared = shared;
        this.dialect = dialect;
        this.texts = texts;
    }

    static EmbeddedCatalog of(EmbeddedDatabase database, Dialect dialect, String user, SqlTexts texts) {
        Shared shared;
        synchronized (DATABASES) {
            shared = DATABASES.computeIfAbsent(database, unknown -> new Shared());
        }
        return shared.byUser.computeIfAbsent(user, unknown -> new EmbeddedCatalog(shared, dialect, texts));
    }

    /** Notes that definitions have changed, or may have. */
    void changed() {
        shared.version.incrementAndGet();
    }

    /**
     * Returns the present catalog. The session must have no uncommitted changes.
     *
     * @param reading whether the session has a transaction open on the Master, which goes on
     */
    Catalog current(EmbeddedSession session, boolean reading) throws SQLException {
        Known latest = known;
        long version = shared.version.get();
        if (latest != null && latest.version() == version) {
            return latest.catalog();
        }
        Catalog read = read(session, reading);
        known = new Known(version, read);
        return read;
    }

    private Catalog read(EmbeddedSession session, boolean reading) throws SQLException {
        if (queries().isEmpty()) {
            return new Catalog(Set.of());
        }
        Set<String> masterOnly = new HashSet<>();
        Map<String, @Nullable String> names =
                dialect == Dialect.H2 ? EmbeddedDatabases.names(session.liveMaster()) : null;
        if (names != null) {
            return catalog(names);
        }
        session.beforeUpdate();
        try {
            Connection master = session.master();
            for (String query : queries()) {
                try (PreparedStatement statement = prepare(master, query);
                        ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        String definition = rows.getString(2);
                        if (definition == null || !texts.of(definition).isRead()) {
                            masterOnly.add(rows.getString(1));
                        }
                    }
                }
            }
            viewsOfViews(master, masterOnly);
        } finally {
            session.afterUpdate();
            if (!session.autoCommit() && !reading) {
                session.rollback();
            }
        }
        return new Catalog(masterOnly);
    }

    private Catalog catalog(Map<String, @Nullable String> names) {
        Set<String> masterOnly = new HashSet<>();
        int before;
        do {
            before = masterOnly.size();
            Catalog sofar = new Catalog(masterOnly);
            names.forEach((name, definition) -> {
                // A view over a view that must not be read on a Satellite must not be read there either.
                if (definition == null || !texts.of(definition).isReadable(sofar)) {
                    masterOnly.add(name);
                }
            });
        } while (masterOnly.size() > before);
        return new Catalog(masterOnly);
    }

    /** Prepares a query with parameters in place of literals, which a database may forbid. */
    private static PreparedStatement prepare(Connection master, String query) throws SQLException {
        PreparedStatement statement =
                master.prepareStatement(LITERAL.matcher(query).replaceAll("?"));
        int index = 0;
        for (Matcher literal = LITERAL.matcher(query); literal.find(); ) {
            index++;
            statement.setString(index, literal.group(1));
        }
        return statement;
    }

    /** Returns queries for names and definitions. An object without definition is never read on a Satellite. */
    private List<String> queries() {
        return switch (dialect) {
            case H2 ->
                List.of(
                        "SELECT TABLE_NAME, VIEW_DEFINITION FROM INFORMATION_SCHEMA.VIEWS",
                        "SELECT TABLE_NAME, NULL FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA'"
                                + " AND (TABLE_TYPE NOT IN ('BASE TABLE', 'VIEW', 'TABLE')"
                                + " OR STORAGE_TYPE NOT IN ('MEMORY', 'CACHED', 'TABLE', 'VIEW'))",
                        "SELECT ROUTINE_NAME, NULL FROM INFORMATION_SCHEMA.ROUTINES",
                        "SELECT SYNONYM_NAME, NULL FROM INFORMATION_SCHEMA.SYNONYMS");
            case HSQLDB ->
                List.of(
                        "SELECT TABLE_NAME, VIEW_DEFINITION FROM INFORMATION_SCHEMA.VIEWS"
                                + " WHERE TABLE_SCHEMA NOT IN ('INFORMATION_SCHEMA', 'SYSTEM_LOBS')",
                        "SELECT TABLE_NAME, CAST(NULL AS VARCHAR(1)) FROM INFORMATION_SCHEMA.SYSTEM_TABLES"
                                + " WHERE TABLE_SCHEM NOT IN ('INFORMATION_SCHEMA', 'SYSTEM_LOBS')"
                                + " AND (TABLE_TYPE NOT IN ('TABLE', 'VIEW') OR HSQLDB_TYPE = 'TEXT')",
                        "SELECT ROUTINE_NAME, CAST(NULL AS VARCHAR(1)) FROM INFORMATION_SCHEMA.ROUTINES"
                                + " WHERE ROUTINE_SCHEMA NOT IN ('INFORMATION_SCHEMA', 'SYSTEM_LOBS')");
            // User code that could be called is refused when it is defined.
            case DESCRIBED -> List.of();
            case POSTGRESQL -> throw new IllegalStateException("a server reads its catalog itself");
        };
    }

    /** Adds views over views that must not be read on a Satellite. */
    private void viewsOfViews(Connection master, Set<String> masterOnly) throws SQLException {
        if (masterOnly.isEmpty()) {
            return;
        }
        int before;
        do {
            before = masterOnly.size();
            Catalog sofar = new Catalog(masterOnly);
            try (PreparedStatement statement = prepare(master, queries().get(0));
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String definition = rows.getString(2);
                    if (definition == null || !texts.of(definition).isReadable(sofar)) {
                        masterOnly.add(rows.getString(1));
                    }
                }
            }
        } while (masterOnly.size() > before);
    }
}
