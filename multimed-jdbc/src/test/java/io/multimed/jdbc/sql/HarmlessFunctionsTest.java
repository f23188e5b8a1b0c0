package io.multimed.jdbc.sql;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.jdbc.replay.DescribedEngines;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests that the engines have the functions of the lists: a misspelt name would admit a user's function. */
class HarmlessFunctionsTest {
    /** Returns the names that the engine does not know as its own, whatever its errors about the arguments. */
    private static Set<String> unknown(Set<String> functions, String url, List<String> calls, Set<String> unknownStates)
            throws SQLException {
        Set<String> unknown = new TreeSet<>();
        try (Connection connection = DriverManager.getConnection(url, "SA", "");
                Statement statement = connection.createStatement()) {
            for (String function : functions) {
                boolean known = false;
                for (String call : calls) {
                    try {
                        statement.execute(String.format(call, function));
                        known = true;
                    } catch (SQLException e) {
                        known |= !unknownStates.contains(e.getSQLState());
                    }
                }
                if (!known) {
                    unknown.add(function);
                }
            }
        }
        return unknown;
    }

    private static Set<String> functions(String described) throws SQLException {
        return requireNonNull(DescribedEngines.named(described)).rules().queryable();
    }

    @Test
    void h2HasThemAll() throws SQLException {
        List<String> calls = List.of(
                "SELECT %s()",
                "SELECT %s(1)", "SELECT %s('a', 'b')", "SELECT %s(1) OVER (ORDER BY 1)", "SELECT * FROM %s(1, 2)");
        assertEquals(Set.of(), unknown(Dialect.H2.harmlessFunctions(), "jdbc:h2:mem:", calls, Set.of("90022")));
    }

    @Test
    void hsqldbHasThemAll() throws SQLException {
        List<String> calls = List.of(
                "VALUES (%s())", "VALUES (%s(1))", "SELECT %s(A) FROM (VALUES (1)) T(A)", "SELECT * FROM %s(ARRAY[1])");
        assertEquals(
                Set.of(),
                unknown(Dialect.HSQLDB.harmlessFunctions(), "jdbc:hsqldb:mem:functions", calls, Set.of("42501")));
    }

    @Test
    void derbyHasThemAll() throws SQLException {
        System.setProperty("derby.stream.error.file", "target/derby.log");
        // The engine also reports 42X01 for a word of the language with other arguments.
        List<String> calls = List.of(
                "VALUES %s()",
                "VALUES %s(1)",
                "VALUES %s('a')",
                "VALUES %s('a', 'b')",
                "VALUES %s(1, 1)",
                "SELECT %s(A) FROM (VALUES 1) T(A)",
                "SELECT %s() OVER () FROM (VALUES 1) T(A)");
        assertEquals(
                Set.of(),
                unknown(
                        functions("derby"),
                        "jdbc:derby:memory:functions;create=true",
                        calls,
                        Set.of("42Y03", "42X01")));
    }

    @Test
    void sqliteHasThemAll() throws SQLException {
        Set<String> unknown = new TreeSet<>(functions("sqlite"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
                Statement statement = connection.createStatement();
                java.sql.ResultSet known = statement.executeQuery("SELECT upper(name) FROM pragma_function_list")) {
            while (known.next()) {
                unknown.remove(known.getString(1));
            }
        }
        assertEquals(Set.of(), unknown);
    }
}
