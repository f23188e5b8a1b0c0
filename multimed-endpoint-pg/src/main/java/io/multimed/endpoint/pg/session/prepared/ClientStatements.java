package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.Analysis;
import io.multimed.endpoint.pg.session.loop.LiteralSettings;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.ExtendedMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client has prepared by messages, under its own names; whatever engines hold of it. Names are spelled as in
 * messages.
 */
public final class ClientStatements {
    private final LoopContext loop;
    private final Exchange exchange;
    private final SessionVariables variables;
    private final PoolKey kind;
    private final Map<String, NamedStatement> named = new HashMap<>();
    private @Nullable PreparedStatement unnamed;
    /** A Query has done away with it, and nothing has taken its place since: what was to replace it may still be ignored. */
    private boolean unnamedGone;
    /** Undoes to what the client has prepared what the present unit has done, in order; none of it on the Master. */
    private final List<Runnable> undo = new ArrayList<>();

    ClientStatements(LoopContext loop, Exchange exchange, SessionVariables variables, PoolKey kind) {
        this.loop = loop;
        this.exchange = exchange;
        this.variables = variables;
        this.kind = kind;
    }

    /** The statements that the client has prepared under names, by these; a view. */
    public Map<String, NamedStatement> named() {
        return Collections.unmodifiableMap(named);
    }

    /** What the client has prepared under this name; the empty one is the unnamed statement. */
    public @Nullable PreparedStatement get(String name) {
        if (name.isEmpty()) {
            return unnamed;
        }
        NamedStatement known = named.get(name);
        return known == null ? null : known.statement();
    }

    /**
     * The same, when a message about it is about to be sent to the engine: if the engine would have to prepare the statement, and
     * would analyse it otherwise now than for those who share it, another one in its place.
     */
    @Nullable
    PreparedStatement getForEngine(String name) {
        PreparedStatement statement = get(name);
        BackendConnection backend = exchange.backend();
        if (statement == null || backend == null || backend.prepared().holds(statement)) {
            return statement;
        }
        PreparedStatement now = asPreparedNow(statement);
        if (now != statement && statement.returnsAs(now) && loop.statements().keep(now, name)) {
            // The client relies on the same parameter types and columns from now on.
            loop.statements().letGo(statement, name);
            named.computeIfPresent(name, (same, known) -> new NamedStatement(now, known.micros()));
        }
        return now;
    }

    /**
     * The shared statement that an engine which lacks this one is to prepare now in its place: of the same text, with the same
     * types of parameters, and analysed as it is for this session now. An unnamed statement is always its own.
     */
    PreparedStatement asPreparedNow(PreparedStatement statement) {
        LiteralSettings literals = statement.literals();
        Object names = statement.names();
        if (literals == null || names == null || names.equals(names()) && variables.areLiterals(literals)) {
            return statement;
        }
        byte[] types = statement.engineTypes();
        PreparedStatement alike = shared(statement.sql(), statement.parameterTypes(), null);
        Analysis found = alike.analysis();
        return found != null && found.takes(types) ? alike : shared(statement.sql(), statement.parameterTypes(), types);
    }

    /** A statement that a client prepares now, as any other does for which the engine analyses it to the same thing. */
    PreparedStatement shared(ExtendedMessage.Parse parse) {
        return shared(parse.sql(), parse.parameterTypes(), null);
    }

    private PreparedStatement shared(byte[] sql, byte[] types, byte @Nullable [] fixedTypes) {
        return loop.statements().intern(kind, sql, types, fixedTypes, names(), variables.literals(), schemaVersion());
    }

    /** An unnamed statement that a client prepares now. */
    PreparedStatement newUnnamed(ExtendedMessage.Parse parse) {
        return new PreparedStatement(
                parse.sql(), parse.parameterTypes(), variables.names().now(), schemaVersion());
    }

    /** The version of the database's schema. */
    long schemaVersion() {
        return loop.services().schemas().version(kind.database());
    }

    /** How the engine resolves names now. Like nobody's while the Master may or may not show the latest change of the schema. */
    private Object names() {
        return loop.services().schemas().isVersionVisible(kind.database())
                ? variables.names().now()
                : new Object();
    }

    /** Whether an engine would resolve names now as it did when this was prepared. */
    boolean resolvesAsNow(PreparedStatement statement) {
        Object names = statement.names();
        return names == null || names.equals(variables.names().now());
    }

    /** Whether it is text; an engine refuses a name that is not, so only the engine sees it. */
    boolean mayBeNamed(String name) {
        return ExtendedMessage.isText(name) || !exchange.clientSpeaksUtf8();
    }

    /** Whether the session may keep so many more under names. */
    boolean hasRoomFor(int more) {
        return named.size() + more <= loop.options().limits().prepared().perSession();
    }

    /**
     * A Parse message of the present unit prepares it.
     *
     * @return whether there was room in memory
     */
    boolean prepare(String name, PreparedStatement statement) {
        if (name.isEmpty()) {
            unnamedByMessage();
        }
        if (!loop.statements().keep(statement, name)) {
            return false;
        }
        if (name.isEmpty()) {
            unnamedGone = false;
            unnamed(statement);
        } else {
            named.put(loop.statements().sharedName(statement, name), NamedStatement.now(statement));
            undoLater(() -> forgetIfStill(name, statement));
        }
        return true;
    }

    /** A Close message of the present unit names it. @return what puts it back if the message comes to nothing */
    @Nullable
    Runnable close(String name) {
        NamedStatement closed = named.get(name);
        forget(name);
        if (closed == null) {
            return null;
        }
        Runnable remember = () -> rememberUnlessReplaced(name, closed);
        undoLater(remember);
        return remember;
    }

    /**
     * A Close message of the present unit, which the engine is sent, names the unnamed one.
     *
     * @return what puts it back if the message comes to nothing
     */
    Runnable closeUnnamed() {
        PreparedStatement closed = unnamed;
        PreparedOnBackend prepared = exchange.bound().prepared();
        Object held = prepared.unnamed();
        unnamedByMessage();
        prepared.unnamed(null);
        return () -> {
            if (closed != null && unnamed == null) {
                rememberUnnamed(closed);
            }
            if (prepared.unnamed() == null) {
                prepared.unnamed(held);
            }
        };
    }

    /** A Query message does away with the unnamed statement. */
    public void forgetUnnamed() {
        // Without a Sync the engine may ignore the Query too.
        unnamedGone = !exchange.isUnsynced();
        unnamed(null);
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            backend.prepared().unnamed(null);
        }
    }

    /** DISCARD ALL or DEALLOCATE ALL was executed, neither of which lets go of the unnamed statement. */
    public void forgetAll() {
        named.forEach((name, known) -> loop.statements().letGo(known.statement(), name));
        named.clear();
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            backend.prepared().clear();
        }
    }

    void forget(String name) {
        if (name.isEmpty()) {
            unnamed(null);
            return;
        }
        NamedStatement known = named.remove(name);
        if (known != null) {
            loop.statements().letGo(known.statement(), name);
        }
    }

    void forgetIfStill(String name, PreparedStatement statement) {
        if (get(name) == statement) {
            forget(name);
        }
    }

    private void rememberUnlessReplaced(String name, NamedStatement known) {
        if (!named.containsKey(name) && loop.statements().keep(known.statement(), name)) {
            named.put(loop.statements().sharedName(known.statement(), name), known);
        }
    }

    /** A message of the unit does away with the unnamed statement, or replaces it. */
    private void unnamedByMessage() {
        PreparedStatement before = unnamed;
        if (before != null) {
            undoLater(() -> rememberUnnamed(before));
        }
        unnamed(null);
    }

    private void unnamed(@Nullable PreparedStatement now) {
        PreparedStatement before = unnamed;
        unnamed = now;
        if (before != null) {
            loop.statements().letGo(before, "");
        }
    }

    /** The engine has refused what was to prepare it: of the unnamed statement it has let go by then. */
    public void prepareFailed(Subject.Preparing preparing) {
        String name = preparing.clientName();
        if (name != null) {
            forgetIfStill(name, preparing.statement());
        }
        if (name != null && name.isEmpty()) {
            preparing.statement().cameToNothing(null);
        }
        notHeld(preparing.statement(), null);
    }

    /** The engine has ignored what was to prepare it, after an error. */
    public void prepareIgnored(Subject.Preparing preparing) {
        String name = preparing.clientName();
        if (name != null) {
            prepareIgnored(name, preparing.statement(), preparing.before());
        }
        Object held = preparing.heldBefore();
        notHeld(preparing.statement(), held instanceof PreparedStatement before ? before.heldInstead() : held);
    }

    /**
     * Likewise of a statement of which the engine need not be told.
     *
     * @param before the unnamed statement that it was to replace
     */
    void prepareIgnored(String name, PreparedStatement statement, @Nullable PreparedStatement before) {
        PreparedStatement instead = before == null ? null : before.instead();
        if (name.isEmpty()) {
            // What was to replace it may be ignored as well.
            statement.cameToNothing(instead);
        }
        forgetIfStill(name, statement);
        if (instead != null && unnamed == null && !unnamedGone) {
            rememberUnnamed(instead);
        }
    }

    /** @param instead what the engine holds as its unnamed statement if that was to be this one */
    private void notHeld(PreparedStatement statement, @Nullable Object instead) {
        if (statement.engineName().isEmpty()) {
            statement.isHeld(false, instead);
        }
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            backend.prepared().removed(statement);
            if (backend.prepared().unnamed() == statement) {
                backend.prepared().unnamed(instead);
            }
        }
    }

    private void rememberUnnamed(PreparedStatement statement) {
        if (loop.statements().keep(statement, "")) {
            unnamed(statement);
        }
    }

    /** The session ends. */
    public void end() {
        named.forEach((name, known) -> loop.statements().letGo(known.statement(), name));
        named.clear();
        unnamed(null);
    }

    // --- units that run again

    /** Another unit is about to be sent. */
    public void unitBegins() {
        undo.clear();
    }

    /** The unit runs again, from its first message: the client's names are what they were before it. */
    public void unitBeginsAgain() {
        for (int i = undo.size() - 1; i >= 0; i--) {
            undo.get(i).run();
        }
        undo.clear();
    }

    private void undoLater(Runnable action) {
        if (!exchange.onMaster()) {
            undo.add(action);
        }
    }
}
