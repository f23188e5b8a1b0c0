package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.sql.mysql.MysqlStatement;
import java.util.regex.Pattern;

/** The traits of commands of the protocol, and of their statements. */
final class CommandTraits {
    private static final Pattern CHANGE_OF_ROWS = Pattern.compile("(?i)\\s*(?:INSERT|REPLACE|UPDATE|DELETE)\\b");

    private CommandTraits() {}

    /** Whether the command is known to use a table, if it succeeds. */
    static boolean usesTables(int command, MysqlStatement statement, String text) {
        return statement.isRead()
                ? !statement.tables().isEmpty()
                : command == MysqlCommand.QUERY
                        && statement.leavesNothing()
                        && CHANGE_OF_ROWS.matcher(text).lookingAt();
    }

    /** Whether the command leaves nothing in the session that another connection to the Master cannot be told. */
    static boolean leavesNothing(int command, MysqlStatement statement) {
        return switch (command) {
            case MysqlCommand.QUERY -> statement.leavesNothing();
            // If it failed, its text would not be known any more.
            case MysqlCommand.STMT_EXECUTE -> statement.leavesNothing() && !statement.isExplained();
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
    static boolean dependsOnCommits(int command) {
        return switch (command) {
            case MysqlCommand.QUERY,
                    MysqlCommand.STMT_EXECUTE,
                    MysqlCommand.STMT_BULK_EXECUTE,
                    MysqlCommand.STMT_PREPARE,
                    MysqlCommand.FIELD_LIST,
                    MysqlCommand.INIT_DB -> true;
            default -> false;
        };
    }

    /** Whether the client expects no reply. */
    static boolean isUnanswered(int command) {
        return command == MysqlCommand.STMT_CLOSE || command == MysqlCommand.STMT_SEND_LONG_DATA;
    }
}
