package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.h2.H2Changes.OfCatalog;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.engine.User;
import org.h2.jdbc.JdbcConnection;
import org.h2.util.HasSQL;

/** Executes the Master's changes of the catalog again on a Satellite. */
final class H2CatalogStatements {
    private static final Pattern SECRET = Pattern.compile("SALT ('[^']*') HASH ('[^']*')");

    private final String url;
    private final JdbcConnection applier;
    private final Database database;
    private int sessions;

    H2CatalogStatements(String url, JdbcConnection applier, Database database) {
        this.url = url;
        this.applier = applier;
        this.database = database;
    }

    /** Executes a change, and gives the users that it has touched the Master's passwords. */
    void execute(OfCatalog change) throws SQLException {
        executeAsUser(change);
        for (String user : change.users()) {
            copySecret(user);
        }
    }

    /**
     * Executes the change as the same user in the same schema. An error here occurred on the Master as well, or shows when the
     * catalogs are compared.
     */
    private void executeAsUser(OfCatalog change) {
        User user = database.findUser(change.user());
        if (user == null) {
            return;
        }
        SessionLocal as = new SessionLocal(database, user, 1 << 30 | sessions++);
        as.setCurrentSchemaName(change.schema());
        as.setSchemaSearchPath(change.searchPath());
        as.setNonKeywords(change.names());
        try (JdbcConnection connection = new JdbcConnection(as, change.user(), url);
                Statement statement = connection.createStatement()) {
            statement.execute(change.sql());
        } catch (SQLException e) {
            as.rollback();
        }
    }

    private void copySecret(String createUser) throws SQLException {
        Matcher secret = SECRET.matcher(createUser);
        for (User user : H2Catalog.users(database)) {
            if (secret.find(0) && createUser.contains(" " + user.getSQL(HasSQL.DEFAULT_SQL_FLAGS) + " ")) {
                try (Statement statement = applier.createStatement()) {
                    statement.execute("ALTER USER " + user.getSQL(HasSQL.DEFAULT_SQL_FLAGS) + " SET SALT "
                            + secret.group(1) + " HASH " + secret.group(2));
                }
            }
        }
    }
}
