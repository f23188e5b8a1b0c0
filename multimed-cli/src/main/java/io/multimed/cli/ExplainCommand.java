package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.StatusJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Option;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** {@code multimed explain}: tells where a running instance would execute a statement, and why. */
final class ExplainCommand {
    private static final String EXPLAIN = "EXPLAIN (MULTIMED) ";

    private static final Option STATEMENT =
            Arguments.value("c", "command", "SQL", "The statement; without it, standard input is read.");
    private static final Option DATABASE = Arguments.value("d", "dbname", "NAME", "Database (default: postgres).");
    private static final Option USER = Arguments.value("U", "username", "NAME", "Role (default: postgres).");

    static final Subcommand COMMAND = new Subcommand(
            "explain",
            """
            Tell where a statement would be executed, on which evidence, and which nodes could not execute it and why.
            The statement stands alone, as in: multimed explain "SELECT 1". It is not executed.\
            """,
            List.of(STATEMENT, DirectoryOption.DIR, DATABASE, USER),
            ExplainCommand::run,
            Optional.of(STATEMENT));

    private ExplainCommand() {}

    private static int run(Arguments given) throws StartException, IOException {
        Home home = DirectoryOption.home(given);
        String status = ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS);
        ListenAddress endpoint = SqlCommand.reachable(StatusJson.read(status).endpoint());
        String sql = given.text(STATEMENT).isPresent()
                ? given.text(STATEMENT).get()
                : new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        return explain(
                endpoint,
                given.text(DATABASE).orElse("postgres"),
                given.text(USER).orElse("postgres"),
                sql,
                System.out,
                System.err);
    }

    /** @return the exit status, as in psql: 0, 1 when the statement has an error, 2 when there was no connection */
    static int explain(
            ListenAddress endpoint, String database, String user, String sql, PrintStream out, PrintStream err) {
        try (Connection connection = EndpointConnection.open(endpoint, database, user, "multimed explain")) {
            return explain(connection, sql, out, err);
        } catch (SQLException e) {
            err.println("multimed: " + e.getMessage());
            return 2;
        }
    }

    private static int explain(Connection connection, String sql, PrintStream out, PrintStream err) {
        try (Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery(EXPLAIN + sql)) {
            while (lines.next()) {
                out.println(lines.getString(1));
            }
            return 0;
        } catch (SQLException e) {
            err.println(text(e));
            return 1;
        }
    }

    /** Returns the error's text. A position in it counts from the beginning of the statement that was given. */
    private static String text(SQLException e) {
        String text = String.valueOf(e.getMessage());
        ServerErrorMessage error = e instanceof PSQLException refused ? refused.getServerErrorMessage() : null;
        int position = error == null ? 0 : error.getPosition();
        return position <= EXPLAIN.length()
                ? text
                : text.replace("Position: " + position, "Position: " + (position - EXPLAIN.length()));
    }
}
