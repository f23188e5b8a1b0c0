package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.AdminAnswer;
import io.multimed.endpoint.pg.admin.AdminCommand;
import io.multimed.endpoint.pg.admin.AdminDatabase;
import io.multimed.endpoint.pg.admin.Viewer;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements and portals of a client of the admin database. Values are text, whose bytes are the same in the binary
 * format, so the formats that a client requests can be ignored.
 */
final class AdminStatements {
    private static final int MOST = 100;

    private final AdminDatabase admin;
    private final Viewer viewer;
    private final Map<String, AdminCommand> statements = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();

    /** A command that is executed once, and whose rows may be fetched in several parts. */
    static final class Portal {
        private final AdminCommand command;
        private @Nullable AdminAnswer answer;
        private int given;

        Portal(AdminCommand command) {
            this.command = command;
        }

        AdminCommand command() {
            return command;
        }

        /** Whether the command has been executed. */
        boolean isExecuted() {
            return answer != null;
        }

        void executed(AdminAnswer result) {
            answer = result;
        }

        /** @param limit largest number of rows; 0 for no limit */
        void next(int limit, ByteBuf out) {
            List<List<Object>> all = answer == null ? List.of() : answer.rows();
            int end = limit > 0 ? (int) Math.min(all.size(), (long) given + limit) : all.size();
            boolean suspended = limit > 0 && end - given == limit;
            all.subList(given, end).forEach(row -> BackendMessages.textRow(out, row));
            given = end;
            if (suspended) {
                BackendMessages.portalSuspended(out);
            } else if (command.isEmpty()) {
                BackendMessages.emptyQueryResponse(out);
            } else {
                BackendMessages.commandComplete(out, command.tag());
            }
        }
    }

    AdminStatements(AdminDatabase admin, Viewer viewer) {
        this.admin = admin;
        this.viewer = viewer;
    }

    /** Answers any extended query message but Execute. */
    void message(byte type, ByteBuf message, ByteBuf out) throws AdminRefusal {
        switch (type) {
            case Frontend.PARSE -> parse(wellFormed(ExtendedMessage.Parse.decode(message, 0)), out);
            case Frontend.BIND -> bind(message, wellFormed(ExtendedMessage.Bind.decode(message, 0)), out);
            case Frontend.DESCRIBE -> describe(wellFormed(ExtendedMessage.Named.decode(message, 0)), out);
            default -> close(wellFormed(ExtendedMessage.Named.decode(message, 0)), out);
        }
    }

    private static <T> T wellFormed(@Nullable T message) throws AdminRefusal {
        if (message == null) {
            throw new AdminRefusal(SqlState.PROTOCOL_VIOLATION, "invalid message format");
        }
        return message;
    }

    private void parse(ExtendedMessage.Parse parse, ByteBuf out) throws AdminRefusal {
        List<String> commands = admin.commands(new String(parse.sql(), StandardCharsets.UTF_8));
        if (commands.size() > 1) {
            throw new AdminRefusal(SqlState.SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement");
        }
        AdminCommand command = admin.command(commands.isEmpty() ? "" : commands.getFirst(), viewer);
        if (command == null) {
            throw AdminRefusal.unknownCommand();
        }
        if (!parse.name().isEmpty() && statements.containsKey(parse.name())) {
            throw new AdminRefusal(
                    SqlState.DUPLICATE_PREPARED_STATEMENT,
                    "prepared statement \"" + parse.name() + "\" already exists");
        }
        refuseMoreThan(statements);
        statements.put(parse.name(), command);
        BackendMessages.parseComplete(out);
    }

    private void bind(ByteBuf message, ExtendedMessage.Bind bind, ByteBuf out) throws AdminRefusal {
        AdminCommand command = statement(bind.statement());
        int formatsAt = bind.statementEnd() + 1;
        int formats = formatsAt + 2 > message.writerIndex() ? -1 : message.getShort(formatsAt);
        int valuesAt = formatsAt + 2 + 2 * formats;
        if (formats < 0 || valuesAt + 2 > message.writerIndex() || message.getShort(valuesAt) != 0) {
            throw new AdminRefusal(SqlState.PROTOCOL_VIOLATION, "commands of the multimed database take no parameters");
        }
        refuseMoreThan(portals);
        String portal = message.toString(5, bind.statementStart() - 6, StandardCharsets.ISO_8859_1);
        portals.put(portal, new Portal(command));
        BackendMessages.bindComplete(out);
    }

    private void describe(ExtendedMessage.Named what, ByteBuf out) throws AdminRefusal {
        boolean statement = what.kind() == 'S';
        AdminCommand command =
                statement ? statement(what.name()) : portal(what.name()).command();
        if (statement) {
            BackendMessages.noParameters(out);
        }
        if (command.hasRows()) {
            BackendMessages.textColumns(out, command.columns());
        } else {
            BackendMessages.noData(out);
        }
    }

    private void close(ExtendedMessage.Named what, ByteBuf out) {
        (what.kind() == 'S' ? statements : portals).remove(what.name());
        BackendMessages.closeComplete(out);
    }

    /** Returns the portal that an Execute message names. */
    Portal executed(ByteBuf message) throws AdminRefusal {
        int nameEnd = message.writerIndex() - 5;
        if (nameEnd < 5 || message.indexOf(5, message.writerIndex(), (byte) 0) != nameEnd) {
            throw new AdminRefusal(SqlState.PROTOCOL_VIOLATION, "invalid message format");
        }
        return portal(message.toString(5, nameEnd - 5, StandardCharsets.ISO_8859_1));
    }

    /** Drops the portals at the end of the transaction. */
    void forgetPortals() {
        portals.clear();
    }

    private AdminCommand statement(String name) throws AdminRefusal {
        AdminCommand command = statements.get(name);
        if (command == null) {
            throw new AdminRefusal(
                    SqlState.INVALID_SQL_STATEMENT_NAME,
                    name.isEmpty()
                            ? "unnamed prepared statement does not exist"
                            : "prepared statement \"" + name + "\" does not exist");
        }
        return command;
    }

    private Portal portal(String name) throws AdminRefusal {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw new AdminRefusal(SqlState.INVALID_CURSOR_NAME, "portal \"" + name + "\" does not exist");
        }
        return portal;
    }

    private static void refuseMoreThan(Map<String, ?> known) throws AdminRefusal {
        if (known.size() >= MOST) {
            throw new AdminRefusal(
                    SqlState.PROGRAM_LIMIT_EXCEEDED, "the multimed database keeps " + MOST + " statements at most");
        }
    }
}
