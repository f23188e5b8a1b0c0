package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.loop.StatementRegistry;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Combines the statements that a client prepares by messages and those that it prepares by SQL into one name space.
 *
 * <p>In the engine, statements prepared by messages have names of Multimed's own. When SQL is about to name one (PREPARE, EXECUTE,
 * DEALLOCATE), it is lent: the engine prepares it under the client's name until the transaction ends. Statements prepared by SQL
 * keep the session on its backend, which reports their names.
 */
public final class SqlNames {
    /**
     * A statement that the engine holds under a client's name.
     *
     * @param nameOnly whether it was prepared with empty SQL
     */
    private record Loan(PreparedStatement statement, boolean nameOnly) {
        boolean serves(PreparedStatement wanted, boolean byNameOnly) {
            return statement == wanted && (byNameOnly || !nameOnly);
        }
    }

    private static final byte[] NO_SQL = {};
    private static final byte[] NO_TYPES = {0, 0};
    /**
     * Marks a Parse that lends a statement. If the client's next unit fails because the Parse has failed, the client is sent the
     * engine's error for the Parse.
     */
    static final Note LENT = new Note(true, new Subject.Lent());

    private final Exchange exchange;
    private final ClientStatements clients;
    /** Names of statements prepared by SQL, with one character per byte of the message. */
    private final Set<String> ofSql = new HashSet<>();
    /** Lent statements by name, as spelled in SQL. */
    private final Map<String, Loan> lent = new LinkedHashMap<>();

    public SqlNames(Exchange exchange, ClientStatements clients) {
        this.exchange = exchange;
        this.clients = clients;
    }

    /** Converts a name to the spelling in messages, which has one character per byte. */
    private static String inMessages(String nameInSql) {
        return new String(nameInSql.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** Whether SQL has prepared a statement of this name, as spelled in messages. */
    boolean isTaken(String name) {
        return ofSql.contains(name);
    }

    /** Whether no statement is lent. */
    public boolean isIdle() {
        return lent.isEmpty();
    }

    /** Whether SQL has prepared any statement. */
    boolean areAnyTaken() {
        return !ofSql.isEmpty();
    }

    /**
     * Lends the statements that are named by statements about to be sent to the session's backend.
     *
     * @param asQuery whether they are sent as a Query; extended query messages lend a missing statement {@link #lendAmid again}
     *     when its turn comes
     */
    public void lendFor(List<Statement> statements, boolean asQuery) {
        boolean amid = exchange.isUnsynced();
        for (int i = 0; i < statements.size(); i++) {
            String name = nameIn(statements.get(i));
            if (name == null || !mayLend(name)) {
                continue;
            }
            boolean nameOnly = !isExecuted(name, statements);
            if (!amid) {
                lend(name, nameOnly);
            } else if (asQuery) {
                lendAmid(name, nameOnly, Subject.LentForQuery::new);
            }
        }
    }

    /**
     * Lends the statements named by a message that creates a portal and is about to be sent. A named statement may have been
     * prepared or closed since the segment was examined, and the message itself may not have been examined in advance.
     */
    void lendAmid(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            String name = nameIn(statements.get(i));
            if (name != null && mayLend(name)) {
                lendAmid(name, !(statements.get(i) instanceof Statement.ExecutePrepared), Subject.Closing::new);
            }
        }
    }

    private boolean mayLend(String name) {
        return exchange.status() != 'E' && !exchange.isIgnored() && !isReserved(name);
    }

    /** Multimed gives names with this prefix to other clients' statements too. */
    private static boolean isReserved(String name) {
        return name.startsWith(StatementRegistry.PREFIX);
    }

    /** The error for a statement that uses a reserved name; null if it does not. */
    public @Nullable ErrorFields refuse(Statement statement) {
        String name = nameIn(statement);
        if (name == null || !isReserved(name) || exchange.status() == 'E' || isTaken(inMessages(name))) {
            return null;
        }
        return statement instanceof Statement.Prepare || clients.get(inMessages(name)) != null
                ? ErrorFields.error(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "cannot name a prepared statement \"" + name + "\" in SQL: Multimed uses such names")
                : ErrorFields.error(
                        SqlState.INVALID_SQL_STATEMENT_NAME, "prepared statement \"" + name + "\" does not exist");
    }

    /** The error for the first of the statements that uses a reserved name; null if none does. */
    @Nullable
    ErrorFields refuse(List<Statement> statements) {
        ErrorFields reason = null;
        for (int i = 0; reason == null && i < statements.size(); i++) {
            reason = refuse(statements.get(i));
        }
        return reason;
    }

    private static boolean isExecuted(String name, List<Statement> statements) {
        return statements.contains(new Statement.ExecutePrepared(name));
    }

    /** Whether any of the statements names a prepared statement. */
    public static boolean nameAny(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (nameIn(statements.get(i)) != null) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String nameIn(Statement statement) {
        return switch (statement) {
            case Statement.Prepare prepare -> prepare.name();
            case Statement.ExecutePrepared execute -> execute.name();
            case Statement.Deallocate deallocate -> deallocate.name();
            default -> null;
        };
    }

    /**
     * Lends a statement.
     *
     * @param nameOnly whether its SQL need not be valid any more, because the statement is deallocated or its name is only to be
     *     occupied
     */
    private void lend(String name, boolean nameOnly) {
        PreparedStatement statement = clients.get(inMessages(name));
        if (statement == null ? !lent.containsKey(name) : name.isEmpty()) {
            return;
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(128 + (statement == null ? 0 : statement.sql().length));
        close(out, name);
        lent.remove(name);
        if (statement != null) {
            parse(out, name, statement, nameOnly);
            exchange.expect(MessageKind.PARSE, LENT);
            lent.put(name, new Loan(statement, nameOnly));
        }
        FrontendMessages.sync(out);
        exchange.expect(MessageKind.SYNC, Note.INTERNAL);
        backend.sparedFromCancel();
        backend.write(out);
    }

    /**
     * Lends a statement without a Sync, which would end the client's transaction. If the engine refuses it, the client is sent that
     * error.
     *
     * @param subject creates the subject from the action to run if the message has no effect
     */
    private void lendAmid(String name, boolean nameOnly, Function<Runnable, Object> subject) {
        PreparedStatement statement = clients.get(inMessages(name));
        Loan before = lent.get(name);
        if (statement == null ? before == null : name.isEmpty()) {
            return;
        }
        if (statement != null && before != null && before.serves(statement, nameOnly)) {
            return;
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(128 + (statement == null ? 0 : statement.sql().length));
        backend.sparedFromCancel();
        FrontendMessages.close(out, (byte) 'S', name);
        lent.remove(name);
        exchange.expect(
                MessageKind.CLOSE,
                before == null ? Note.INTERNAL : new Note(true, new Subject.Closing(() -> lent.put(name, before))));
        if (statement != null) {
            parse(out, name, statement, nameOnly);
            lent.put(name, new Loan(statement, nameOnly));
            exchange.expect(MessageKind.PARSE, new Note(true, subject.apply(() -> lent.remove(name))));
        }
        backend.write(out);
    }

    private static void parse(ByteBuf out, String name, PreparedStatement statement, boolean nameOnly) {
        if (nameOnly) {
            FrontendMessages.parse(out, name, NO_SQL, NO_TYPES);
        } else {
            FrontendMessages.parse(out, name, statement.sql(), statement.engineTypes());
        }
    }

    private void close(ByteBuf out, String name) {
        FrontendMessages.close(out, (byte) 'S', name);
        exchange.expect(MessageKind.CLOSE, Note.INTERNAL);
    }

    /**
     * Closes all lent statements after the transaction.
     *
     * @return whether the engine is sent messages for that
     */
    public boolean takeBack() {
        if (lent.isEmpty()) {
            return false;
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(128);
        lent.keySet().forEach(name -> close(out, name));
        lent.clear();
        FrontendMessages.sync(out);
        exchange.expect(MessageKind.SYNC, Note.INTERNAL);
        backend.sparedFromCancel();
        backend.write(out);
        return true;
    }

    /** Forgets all loans, because the engine that held them is gone. */
    public void loansLost() {
        lent.clear();
    }

    /** Records that PREPARE was executed. */
    public void prepared(String name) {
        ofSql.add(inMessages(name));
        lent.remove(name);
    }

    /** Records that DEALLOCATE was executed. */
    public void deallocated(String name) {
        ofSql.remove(inMessages(name));
        lent.remove(name);
        clients.forget(inMessages(name));
    }

    /** Records that a message closes a statement prepared by SQL. The name is spelled as in messages. */
    void closed(String name) {
        ofSql.remove(name);
    }

    /** Undoes {@link #closed}, because the message was ignored after an error. */
    void notClosed(String name) {
        ofSql.add(name);
    }

    /** Sets the names of statements prepared by SQL, as the engine has reported them. */
    public void are(Set<String> names) {
        ofSql.clear();
        names.forEach(name -> ofSql.add(inMessages(name)));
    }

    /** Records that DISCARD ALL or DEALLOCATE ALL was executed. */
    public void forgetAll() {
        ofSql.clear();
        lent.clear();
    }
}
