package io.multimed.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * A small SQL shell for machines without psql: statements end with a semicolon at the end of a line, {@code \q} or the
 * end of input ends the shell.
 */
final class SqlShell {
    private static final int MOST_ROWS = 10_000;

    private final String url;
    private final String database;
    private final String user;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    SqlShell(String host, int port, String database, String user, InputStream in, PrintStream out, PrintStream err) {
        String address = host.contains(":") ? "[" + host + "]" : host;
        this.url = "jdbc:postgresql://" + address + ":" + port + "/" + database;
        this.database = database;
        this.user = user;
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** @return the exit status: 0, 1 when the command failed, 2 when there was no connection, as psql has them */
    int run(Optional<String> command) {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("ApplicationName", "multimed sql");
        // As psql: what is typed is sent as it is.
        properties.setProperty("preferQueryMode", "simple");
        String password = System.getenv("PGPASSWORD");
        if (password != null) {
            properties.setProperty("password", password);
        }
        try (Connection connection = DriverManager.getConnection(url, properties)) {
            if (command.isPresent()) {
                return execute(connection, command.get()) ? 0 : 1;
            }
            converse(connection);
            return 0;
        } catch (SQLException e) {
            err.println("multimed: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            err.println("multimed: input cannot be read: " + e.getMessage());
            return 2;
        }
    }

    private void converse(Connection connection) throws IOException {
        boolean terminal = System.console() != null;
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        StringBuilder statement = new StringBuilder();
        if (terminal) {
            out.println("End statements with ';'. \\q ends. (psql, if installed, is used instead of this shell.)");
        }
        while (true) {
            if (terminal) {
                out.print(database + (statement.isEmpty() ? "=> " : "-> "));
                out.flush();
            }
            String line = lines.readLine();
            if (line == null || line.strip().equals("\\q") || line.strip().equals("exit") && statement.isEmpty()) {
                break;
            }
            statement.append(line).append('\n');
            if (line.stripTrailing().endsWith(";")) {
                execute(connection, statement.toString());
                statement.setLength(0);
            }
        }
        if (!statement.toString().isBlank()) {
            execute(connection, statement.toString());
        }
    }

    private boolean execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(MOST_ROWS);
            boolean rows = statement.execute(sql);
            while (true) {
                if (rows) {
                    try (ResultSet result = statement.getResultSet()) {
                        print(result);
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
        }
    }

    private void print(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        List<List<String>> rows = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            names.add(columns.getColumnLabel(column));
        }
        rows.add(names);
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                String value = result.getString(column);
                row.add(value == null ? "" : value);
            }
            rows.add(row);
        }
        for (int row = 0; row < rows.size(); row++) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < names.size(); column++) {
                line.append(column == 0 ? " " : " | ")
                        .append(String.format(
                                Locale.ROOT,
                                "%-" + width(rows, column) + "s",
                                rows.get(row).get(column)));
            }
            out.println(line);
            if (row == 0) {
                out.println(line.toString().replaceAll("[^|]", "-").replace('|', '+'));
            }
        }
        int count = rows.size() - 1;
        out.println("(" + count + (count == 1 ? " row)" : " rows)"));
    }

    private static int width(List<List<String>> rows, int column) {
        return Math.max(
                1, rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1));
    }
}
