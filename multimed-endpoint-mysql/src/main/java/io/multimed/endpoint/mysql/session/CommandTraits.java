package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.sql.mysql.MysqlStatement;
import java.util.regex.Pattern;

/** The traits of commands of the protocol, and of their statements. */
final class CommandTraits {
    private static final Pattern CHANGE_OF_ROWS = Pattern.compile("(?i)\\s*(?:INSERT|REPLACE|UPDATE|DELETE)\\b");

    /**
     * A first word with which no statement of MariaDB or MySQL begins, and which is no label. What follows does not matter: the parser
     * refuses the text before anything of it is executed.
     */
    private static final Pattern NO_STATEMENT =
            Pattern.compile("(?i)\\s*+(?!(?:ALTER|ANALYZE|BACKUP|BEGIN|BINLOG|CACHE|CALL|CASE|"
                    + "CHANGE|CHECK|CHECKSUM|CLONE|CLOSE|COMMIT|CREATE|DEALLOCATE|DECLARE|DELETE|DESC|DESCRIBE|DO|DROP|EXECUTE|EXPLAIN|FETCH|"
                    + "FLUSH|FOR|GET|GOTO|GRANT|HANDLER|HELP|IF|IMPORT|INSERT|INSTALL|ITERATE|KILL|LEAVE|LOAD|LOCK|LOOP|OPEN|OPTIMIZE|PREPARE|"
                    + "PURGE|RELEASE|RENAME|REPAIR|REPEAT|REPLACE|RESET|RESIGNAL|RESTART|RETURN|REVOKE|ROLLBACK|SAVEPOINT|SELECT|SET|SHOW|"
                    + "SHUTDOWN|SIGNAL|SLAVE|START|STOP|TABLE|TRUNCATE|UNINSTALL|UNLOCK|UPDATE|USE|VALUES|WHILE|WITH|XA)\\b)"
                    + "[A-Z]++\\s*+(?=[\\w`'\"*]|\\z)");

    /** The error of a text that the parser refuses. */
    private static final int PARSE_ERROR = 1064;

    private CommandTraits() {}

    /** Whether the text of the command is no statement. If the Master answers otherwise than expected, {@link #isRefusal} shows it. */
    static boolean isNoStatement(int command, String text) {
        return (command == MysqlCommand.QUERY || command == MysqlCommand.STMT_PREPARE)
                && NO_STATEMENT.matcher(text).lookingAt();
    }

    /** Whether the Master has refused a text as no statement, so that nothing of it has been executed. */
    static boolean isRefusal(int errorCode) {
        return errorCode == PARSE_ERROR;
    }

    /** Whether the command is known to use a table, if it succeeds. */
    static boolean usesTables(int command, MysqlStatement statement, String text) {
        return statement.isRead()
                ? !statement.tables().isEmpty()
                : command == MysqlCommand.QUERY
                        && statement.leavesNothing()
                        && CHANGE_OF_ROWS.matcher(text).lookingAt();
    }

    /** Whether an execution of a prepared statement is known to use a table, if it succeeds. */
    static boolean usesTables(MysqlStatement execution, String text) {
        return execution.isRead()
                ? !execution.tables().isEmpty()
                : execution.leavesNothing() && CHANGE_OF_ROWS.matcher(text).lookingAt();
    }

    /** Whether the command is about a statement that the client has prepared. */
    static boolean isAboutStatement(int command) {
        return switch (command) {
            case MysqlCommand.STMT_EXECUTE,
                    MysqlCommand.STMT_BULK_EXECUTE,
                    MysqlCommand.STMT_SEND_LONG_DATA,
                    MysqlCommand.STMT_CLOSE,
                    MysqlCommand.STMT_RESET,
                    MysqlCommand.STMT_FETCH -> true;
            default -> false;
        };
    }

    /** Whether the command leaves nothing in the session that another connection to the Master cannot be told. */
    static boolean leavesNothing(int command, MysqlStatement statement) {
        return switch (command) {
            case MysqlCommand.QUERY -> statement.leavesNothing();
            // If it failed, its text would not be known any more.
            case MysqlCommand.STMT_EXECUTE, MysqlCommand.STMT_BULK_EXECUTE ->
                statement.leavesNothing() && !statement.isExplained();
            case MysqlCommand.PING,
                    MysqlCommand.INIT_DB,
                    MysqlCommand.STATISTICS,
                    MysqlCommand.FIELD_LIST,
                    MysqlCommand.PROCESS_KILL,
                    MysqlCommand.STMT_PREPARE,
                    MysqlCommand.STMT_SEND_LONG_DATA,
                    MysqlCommand.STMT_RESET,
                    MysqlCommand.STMT_CLOSE,
                    MysqlCommand.STMT_FETCH -> true;
            default -> false;
        };
    }

    /** Whether the command depends on what has been committed, so that the Master has to show all that Satellites have shown. */
    static boolean dependsOnCommits(int command, MysqlStatement statement) {
        return switch (command) {
            case MysqlCommand.QUERY -> !isBareBoundary(statement);
            case MysqlCommand.STMT_EXECUTE,
                    MysqlCommand.STMT_BULK_EXECUTE,
                    MysqlCommand.STMT_PREPARE,
                    MysqlCommand.FIELD_LIST,
                    MysqlCommand.INIT_DB -> true;
            default -> false;
        };
    }

    /** Whether the statement starts or ends a transaction without looking at any data, be it for a snapshot. */
    private static boolean isBareBoundary(MysqlStatement statement) {
        return statement.readsNoRows()
                && (statement.boundary() == MysqlStatement.Boundary.STARTS
                        || statement.boundary() == MysqlStatement.Boundary.ENDS);
    }

    /** Whether a session without a connection to the Master can examine the command, which may need none. */
    static boolean canBeginAnywhere(int command) {
        return command == MysqlCommand.QUERY
                || (isAboutStatement(command) && command != MysqlCommand.STMT_BULK_EXECUTE);
    }

    /** Whether the command executes a statement that the client has prepared. */
    static boolean executes(int command) {
        return command == MysqlCommand.STMT_EXECUTE || command == MysqlCommand.STMT_BULK_EXECUTE;
    }

    /** Whether the command brings parameters of a statement, or uses those that were sent ahead. */
    static boolean usesParameters(int command) {
        return executes(command) || command == MysqlCommand.STMT_SEND_LONG_DATA;
    }

    /** Whether the client expects no reply. */
    static boolean isUnanswered(int command) {
        return command == MysqlCommand.STMT_CLOSE || command == MysqlCommand.STMT_SEND_LONG_DATA;
    }
}
