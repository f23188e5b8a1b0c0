package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.loop.StatementRegistry;
import io.multimed.protocol.pg.ExtendedMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The statements that a client has prepared by messages, under its own names, whatever engines hold of them. Names have one
 * character per byte of the message.
 */
public final class ClientStatements {
    private final int mostStatements;
    private final StatementRegistry registry;
    private final Exchange exchange;
    private final CurrentAnalysis analysis;
    private final Map<String, NamedStatement> named = new HashMap<>();
    /** Number of names added and removed so far. */
    private long changes;

    private @Nullable PreparedStatement unnamed;
    /**
     * Whether a Query has removed the unnamed statement and no other has replaced it since. A Parse that should have replaced it
     * earlier may still be ignored.
     */
    private boolean unnamedGone;
    /**
     * Actions that undo the present unit's changes to the client's statements, in the order of the changes. Empty on the Master.
     */
    private final List<Runnable> undo = new ArrayList<>();

    /**
     * Creates the statements of a session that has prepared none.
     *
     * @param mostStatements number of named statements that a session may have
     * @param registry the statements of all sessions of the loop
     */
    public ClientStatements(
            int mostStatements, StatementRegistry registry, CurrentAnalysis analysis, Exchange exchange) {
        this.mostStatements = mostStatements;
        this.registry = registry;
        this.analysis = analysis;
        this.exchange = exchange;
    }

    /** The client's named statements by name; a view. */
    public Map<String, NamedStatement> named() {
        return Collections.unmodifiableMap(named);
    }

    /** A number that changes whenever {@link #named} does. */
    public long changes() {
        return changes;
    }

    /** The statement that the client has prepared under this name; the empty name denotes the unnamed statement. */
    public @Nullable PreparedStatement get(String name) {
        if (name.isEmpty()) {
            return unnamed;
        }
        NamedStatement known = named.get(name);
        return known == null ? null : known.statement();
    }

    /**
     * The statement under this name for a message that is about to be sent to the engine. If the engine would have to prepare the
     * statement, and would analyse it differently now than for the sessions that share it, returns another statement in its place.
     */
    @Nullable
    PreparedStatement getForEngine(String name) {
        PreparedStatement statement = get(name);
        BackendConnection backend = exchange.backend();
        if (statement == null || backend == null || backend.prepared().holds(statement)) {
            return statement;
        }
        PreparedStatement now = analysis.asPreparedNow(statement);
        if (now != statement && statement.returnsAs(now) && registry.keep(now, name)) {
            // The client relies on the same parameter types and columns from now on.
            registry.letGo(statement, name);
            named.computeIfPresent(name, (same, known) -> new NamedStatement(now, known.micros()));
            changes++;
        }
        return now;
    }

    /** Whether the name is valid text. An engine refuses any other name, so such a message must go to the engine. */
    boolean mayBeNamed(String name) {
        return ExtendedMessage.isText(name) || !exchange.clientSpeaksUtf8();
    }

    /** Whether the session may keep this many more named statements. */
    boolean hasRoomFor(int more) {
        return named.size() + more <= mostStatements;
    }

    /** Whether there is memory for an unnamed statement of this length. */
    public boolean hasMemoryFor(int bytes) {
        return registry.hasRoom(1, bytes);
    }

    /**
     * Records the unnamed statement of a plain read, for which there is memory, and which is sent to a Satellite.
     *
     * @return the former one; null if there was none
     */
    @Nullable
    PreparedStatement prepareUnnamed(PreparedStatement statement) {
        PreparedStatement before = unnamed;
        if (before != null) {
            undo.add(() -> rememberUnnamed(before));
        }
        unnamedGone = false;
        registry.keep(statement, "");
        unnamed(statement);
        return before;
    }

    /**
     * Records the statement of a Parse message of the present unit.
     *
     * @return whether there was room in memory
     */
    boolean prepare(String name, PreparedStatement statement) {
        if (name.isEmpty()) {
            unnamedByMessage();
        }
        if (!registry.keep(statement, name)) {
            return false;
        }
        if (name.isEmpty()) {
            unnamedGone = false;
            unnamed(statement);
        } else {
            named.put(registry.sharedName(statement, name), NamedStatement.now(statement));
            changes++;
            undoLater(() -> forgetIfStill(name, statement));
        }
        return true;
    }

    /**
     * Removes the statement that a Close message of the present unit names.
     *
     * @return the action that restores it if the message has no effect; null if there was none
     */
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
     * Removes the unnamed statement because of a Close message of the present unit, which is sent to the engine.
     *
     * @return the action that restores it if the message has no effect
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

    /** Removes the unnamed statement because of a Query message. */
    public void forgetUnnamed() {
        // Without a preceding Sync the engine may ignore the Query too.
        unnamedGone = !exchange.isUnsynced();
        if (unnamed != null) {
            unnamed(null);
        }
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            backend.prepared().unnamed(null);
        }
    }

    /** Notes that a plain read by a Query message is sent on this connection, which removes the unnamed statement. */
    public void queryBegins(BackendConnection backend) {
        undo.clear();
        unnamedGone = true;
        if (unnamed != null) {
            unnamed(null);
        }
        backend.prepared().unnamed(null);
    }

    /** Removes the named statements after DISCARD ALL or DEALLOCATE ALL was executed. Neither removes the unnamed statement. */
    public void forgetAll() {
        named.forEach((name, known) -> registry.letGo(known.statement(), name));
        named.clear();
        changes++;
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
            registry.letGo(known.statement(), name);
            changes++;
        }
    }

    void forgetIfStill(String name, PreparedStatement statement) {
        if (get(name) == statement) {
            forget(name);
        }
    }

    private void rememberUnlessReplaced(String name, NamedStatement known) {
        if (!named.containsKey(name) && registry.keep(known.statement(), name)) {
            named.put(registry.sharedName(known.statement(), name), known);
            changes++;
        }
    }

    /** Removes the unnamed statement because of a message of the unit that closes or replaces it. */
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
            registry.letGo(before, "");
        }
    }

    /** Handles the engine's refusal to prepare a statement. By then the engine has removed its former unnamed statement. */
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

    /** Handles a Parse that the engine has ignored after an error. */
    public void prepareIgnored(Subject.Preparing preparing) {
        String name = preparing.clientName();
        if (name != null) {
            prepareIgnored(name, preparing.statement(), preparing.before());
        }
        Object held = preparing.heldBefore();
        notHeld(preparing.statement(), held instanceof PreparedStatement before ? before.heldInstead() : held);
    }

    /**
     * Handles a Parse that was not sent to the engine and comes after an error.
     *
     * @param before the unnamed statement that it should have replaced
     */
    void prepareIgnored(String name, PreparedStatement statement, @Nullable PreparedStatement before) {
        PreparedStatement instead = before == null ? null : before.instead();
        if (name.isEmpty()) {
            // The Parse that should have replaced it may be ignored as well.
            statement.cameToNothing(instead);
        }
        forgetIfStill(name, statement);
        if (instead != null && unnamed == null && !unnamedGone) {
            rememberUnnamed(instead);
        }
    }

    /**
     * Records that the engine does not hold the statement.
     *
     * @param instead the engine's unnamed statement, if this statement should have become that
     */
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
        if (registry.keep(statement, "")) {
            unnamed(statement);
        }
    }

    /** Removes all statements at the end of the session. */
    public void end() {
        named.forEach((name, known) -> registry.letGo(known.statement(), name));
        named.clear();
        unnamed(null);
    }

    // --- units that run again

    /** Notes that another unit is about to be sent. */
    public void unitBegins() {
        undo.clear();
    }

    /** Restores the client's names as they were before the unit, which runs again from its first message. */
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
