package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Kind;
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
 * Makes one name space of what a client prepares by messages and what it prepares by SQL.
 *
 * <p>Messages' statements bear names of Multimed's in the engine. When SQL is about to name one (PREPARE, EXECUTE,
 * DEALLOCATE), it is lent to the engine under the client's name until the transaction ends. What SQL prepared keeps the
 * session on its backend, which tells the names.
 */
public final class SqlNames {
    /**
     * What the engine has under a client's name.
     *
     * @param nameOnly it has no SQL
     */
    private record Loan(PreparedStatement statement, boolean nameOnly) {
        boolean serves(PreparedStatement wanted, boolean byNameOnly) {
            return statement == wanted && (byNameOnly || !nameOnly);
        }
    }

    private static final byte[] NO_SQL = {};
    private static final byte[] NO_TYPES = {0, 0};
    /** What it is for: the client's next unit fails for the engine's reason if it fails because this did. */
    static final Note LENT = new Note(true, new Subject.Lent());

    private final Exchange exchange;
    private final ClientStatements clients;
    /** Under names as messages spell them. */
    private final Set<String> ofSql = new HashSet<>();
    /** Under names as SQL spells them. */
    private final Map<String, Loan> lent = new LinkedHashMap<>();

    SqlNames(Exchange exchange, ClientStatements clients) {
        this.exchange = exchange;
        this.clients = clients;
    }

    /** Messages keep every byte of a name in a char of its own. */
    private static String inMessages(String nameInSql) {
        return new String(nameInSql.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** Whether SQL has prepared a statement of this name, spelled as in a message. */
    boolean isTaken(String name) {
        return ofSql.contains(name);
    }

    /** Whether SQL has prepared anything. */
    boolean areAnyTaken() {
        return !ofSql.isEmpty();
    }

    /**
     * Statements are about to be sent to the session's backend.
     *
     * @param asQuery by a Query; messages lend {@link #lendAmid each} again what is not there when it comes to them
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
     * A message that makes a portal of this is about to be sent: what it names may have been prepared, or closed, since the segment
     * was looked at, and may be amid what nobody has looked at.
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

    /** As Multimed names in engines what others have prepared, too. */
    private static boolean isReserved(String name) {
        return name.startsWith(StatementRegistry.PREFIX);
    }

    /** Why a statement that names what it must not must be refused; null if it does not. */
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

    /** The same, of the first of them. */
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

    /** Whether any of them names a prepared statement. */
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

    /** @param nameOnly the statement itself need not be valid any more: it goes away, or its name is not free */
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
            exchange.expect(Kind.PARSE, LENT);
            lent.put(name, new Loan(statement, nameOnly));
        }
        FrontendMessages.sync(out);
        exchange.expect(Kind.SYNC, Note.INTERNAL);
        backend.sparedFromCancel();
        backend.write(out);
    }

    /**
     * The same without a Sync, which would end the client's transaction; if the engine refuses it, that is the client's error.
     *
     * @param subject made of what to do if it comes to nothing
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
                Kind.CLOSE,
                before == null ? Note.INTERNAL : new Note(true, new Subject.Closing(() -> lent.put(name, before))));
        if (statement != null) {
            parse(out, name, statement, nameOnly);
            lent.put(name, new Loan(statement, nameOnly));
            exchange.expect(Kind.PARSE, new Note(true, subject.apply(() -> lent.remove(name))));
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
        exchange.expect(Kind.CLOSE, Note.INTERNAL);
    }

    /** No transaction is open. @return whether the engine is being told to forget what was lent */
    public boolean takeBack() {
        if (lent.isEmpty()) {
            return false;
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(128);
        lent.keySet().forEach(name -> close(out, name));
        lent.clear();
        FrontendMessages.sync(out);
        exchange.expect(Kind.SYNC, Note.INTERNAL);
        backend.sparedFromCancel();
        backend.write(out);
        return true;
    }

    /** The engine that had been lent anything is gone. */
    public void loansLost() {
        lent.clear();
    }

    /** PREPARE was executed. */
    public void prepared(String name) {
        ofSql.add(inMessages(name));
        lent.remove(name);
    }

    /** DEALLOCATE was executed. */
    public void deallocated(String name) {
        ofSql.remove(inMessages(name));
        lent.remove(name);
        clients.forget(inMessages(name));
    }

    /** A message closes what SQL has prepared; its name is spelled as in a message. */
    void closed(String name) {
        ofSql.remove(name);
    }

    /** That message is ignored after an error. */
    void notClosed(String name) {
        ofSql.add(name);
    }

    /** The engine has told what SQL has prepared. */
    public void are(Set<String> names) {
        ofSql.clear();
        names.forEach(name -> ofSql.add(inMessages(name)));
    }

    /** DISCARD ALL or DEALLOCATE ALL was executed. */
    public void forgetAll() {
        ofSql.clear();
        lent.clear();
    }
}
