package io.multimed.cli;

import io.multimed.server.config.ListenAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A small SQL shell for machines without psql: statements end with a semicolon at the end of a line, {@link
 * ShellCommands} are at the beginning of one, {@code \q} or the end of input ends the shell.
 */
final class SqlShell {
    /** Exit status of a script that was ended by Ctrl-C, as in psql. */
    static final int INTERRUPTED_STATUS = 3;

    private static final int MOST_ROWS = 10_000;

    private static final Set<Integer> NUMBERS = Set.of(
            Types.SMALLINT,
            Types.INTEGER,
            Types.BIGINT,
            Types.REAL,
            Types.FLOAT,
            Types.DOUBLE,
            Types.NUMERIC,
            Types.DECIMAL);

    private final ListenAddress server;
    private final String user;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final ShellInterrupts interrupts;
    private String database;

    SqlShell(String host, int port, String database, String user, InputStream in, PrintStream out, PrintStream err) {
        this.server = new ListenAddress(host, port);
        this.database = database;
        this.user = user;
        this.in = in;
        this.out = out;
        this.err = err;
        interrupts = new ShellInterrupts(out, err);
    }

    /**
     * Handles Ctrl-C, on any thread: cancels the running statement, or clears the typed input.
     *
     * @return false if there is neither
     */
    boolean interrupt() {
        return interrupts.pressed();
    }

    /**
     * @return the exit status, as in psql: 0, 1 when the command failed, 2 when there was no connection
     */
    int run(Optional<String> command) {
        try (Connection connection = connect(database)) {
            if (command.isPresent()) {
                return executeOrTell(connection, command.get().strip()) ? 0 : 1;
            }
            return converse(connection) ? 0 : INTERRUPTED_STATUS;
        } catch (SQLException e) {
            err.println("multimed: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            err.println("multimed: input cannot be read: " + e.getMessage());
            return 2;
        }
    }

    private Connection connect(String to) throws SQLException {
        return EndpointConnection.open(server, to, user, "multimed sql");
    }

    /** @return false if it was a script, and was interrupted */
    private boolean converse(Connection first) throws IOException, SQLException {
        boolean terminal = ProgressLines.isTerminal();
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        StringBuilder statement = new StringBuilder();
        Connection connection = first;
        if (terminal) {
            out.println("End statements with ';'. \\? helps, \\q ends. (psql, if installed, is used instead.)");
        }
        try {
            while (true) {
                if (terminal) {
                    interrupts.prompt(database + (statement.isEmpty() ? "=> " : "-> "), database + "=> ");
                } else {
                    interrupts.reading();
                }
                String line = lines.readLine();
                if (interrupts.read()) {
                    statement.setLength(0);
                }
                String word = line == null ? "\\q" : line.strip().replaceFirst("(?s)[\\s;].*", "");
                if (word.equals("\\q") || (word.equals("exit") && statement.isEmpty())) {
                    break;
                }
                if (word.equals("\\c")) {
                    connection = reconnect(connection, argument(line));
                } else if (word.startsWith("\\")) {
                    executeOrTell(connection, line.strip());
                } else if (!statement.isEmpty() || !line.isBlank()) {
                    statement.append(line).append('\n');
                    if (line.stripTrailing().endsWith(";")) {
                        execute(connection, statement.toString());
                        statement.setLength(0);
                    }
                }
                if (!terminal && interrupts.hasHappened()) {
                    return false;
                }
            }
            if (!statement.toString().isBlank()) {
                execute(connection, statement.toString());
            }
            return terminal || !interrupts.hasHappened();
        } finally {
            connection.close();
        }
    }

    /** Connects to another database; if that fails, the old connection stays, as in psql. */
    private Connection reconnect(Connection old, String to) throws SQLException {
        String wanted = to.isEmpty() ? database : to;
        Connection connection;
        try {
            connection = interrupts.connecting(() -> connect(wanted));
        } catch (SQLException e) {
            err.println(e.getMessage());
            return old;
        }
        old.close();
        database = wanted;
        out.println("You are now connected to database \"" + wanted + "\" as user \"" + user + "\".");
        return connection;
    }

    /** Returns the argument of a command, without a trailing semicolon, which psql would ignore, too. */
    private static String argument(String line) {
        String[] parts = line.strip().split("\\s+", 2);
        return parts.length == 1 ? "" : parts[1].replaceFirst("\\s*;$", "");
    }

    /** Executes SQL, or a command that begins with a backslash. */
    private boolean executeOrTell(Connection connection, String text) {
        if (!text.startsWith("\\")) {
            return execute(connection, text);
        }
        String command = text.replaceFirst("(?s)[\\s;].*", "");
        String argument = argument(text);
        String query = argument.isEmpty() ? ShellCommands.query(command) : null;
        if (query != null) {
            return execute(connection, query);
        }
        if (command.equals("\\d")) {
            return tellAbout(connection, argument);
        }
        if (command.equals("\\?")) {
            out.println(ShellCommands.HELP);
            return true;
        }
        err.println("the built-in shell does not know " + text + "; \\? tells what it knows");
        return false;
    }

    private boolean tellAbout(Connection connection, String relation) {
        try (Statement statement = connection.createStatement()) {
            boolean first = true;
            interrupts.running(statement);
            for (String query : ShellCommands.about(relation)) {
                try (ResultSet result = statement.executeQuery(query)) {
                    print(result, first);
                }
                first = false;
            }
            return true;
        } catch (SQLException e) {
            err.println(e.getMessage());
            return false;
        } finally {
            interrupts.ended();
        }
    }

    private boolean execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(MOST_ROWS);
            interrupts.running(statement);
            boolean rows = statement.execute(sql);
            while (true) {
                if (rows) {
                    try (ResultSet result = statement.getResultSet()) {
                        print(result, true);
                    }
                } else if (statement.getUpdateCount() < 0) {
                    break;
                } else {
                    out.println("OK " + statement.getUpdateCount());
                }
                rows = statement.getMoreResults();
            }
            for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                err.println("NOTICE:  " + warning.getMessage());
            }
            return true;
        } catch (SQLException e) {
            err.println(e.getMessage());
            return false;
        } finally {
            interrupts.ended();
        }
    }

    /** @param always also when there are no rows */
    private void print(ResultSet result, boolean always) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        int count = columns.getColumnCount();
        List<List<String>> rows = new ArrayList<>();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int column = 1; column <= count; column++) {
                String value = result.getString(column);
                row.add(value == null ? "" : value);
            }
            rows.add(row);
        }
        if (rows.isEmpty() && !always) {
            return;
        }
        List<String> heads = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < count; column++) {
            String name = columns.getColumnLabel(column + 1);
            int at = column;
            int width = Math.max(
                    name.length(),
                    rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0));
            widths.add(width);
            heads.add(padded(" ".repeat((width - name.length()) / 2) + name, width, false));
            lines.add("-".repeat(width));
        }
        out.println((" " + String.join(" | ", heads)).stripTrailing());
        out.println("-" + String.join("-+-", lines) + "-");
        for (List<String> row : rows) {
            if (interrupts.hasHappened()) {
                return;
            }
            List<String> cells = new ArrayList<>();
            for (int column = 0; column < count; column++) {
                boolean number = NUMBERS.contains(columns.getColumnType(column + 1));
                cells.add(padded(row.get(column), widths.get(column), number));
            }
            out.println((" " + String.join(" | ", cells)).stripTrailing());
        }
        out.println("(" + rows.size() + (rows.size() == 1 ? " row)" : " rows)"));
    }

    private static String padded(String text, int width, boolean right) {
        String padding = " ".repeat(width - text.length());
        return right ? padding + text : text + padding;
    }
}
