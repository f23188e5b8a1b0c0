package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.OwnPortals;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.NotRead;
import io.multimed.sql.Processes;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks ahead over extended query messages, from the head of the input to Sync or Flush, and determines which statements they
 * execute. Takes nothing from the input.
 */
final class SegmentScanner {
    enum Result {
        COMPLETE,
        MORE_INPUT,
        /** The segment has arrived completely, but some statements have to be classified first. */
        UNCLASSIFIED
    }

    /** Classifies the statements that a segment prepares. */
    interface Statements {
        /**
         * Classifies a text.
         *
         * @return null if it has to be classified first
         */
        @Nullable
        ClassifiedSql classify(byte[] sql);

        /** The statement that a name of the client denotes; null if unknown. */
        @Nullable
        PreparedStatement named(String name);

        @Nullable
        ClassifiedSql classify(PreparedStatement statement);
    }

    private static final Statement UNKNOWN =
            new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood");

    private final List<Statement> executed = new ArrayList<>();
    /** For each executed statement, the index of its message in the segment, from 0. */
    private final List<Integer> executedBy = new ArrayList<>();

    private final Map<String, ClassifiedSql> parsed = new HashMap<>();
    private final List<byte[]> texts = new ArrayList<>();
    /** While {@link #onlyRoute} holds: the portals that the segment has created, and whether the statements that it names exist. */
    private final Set<String> portalsMade = new HashSet<>();

    private final Map<String, Boolean> present = new HashMap<>();
    /** The statements prepared earlier that the segment uses. */
    private final List<PreparedStatement> uses = new ArrayList<>();
    /** For each used statement, the index of the message that uses it, from 0. */
    private final List<Integer> usedBy = new ArrayList<>();
    /** Number of messages examined. */
    private int messages;

    private boolean unclassified;
    private boolean needsEngine;
    private boolean namesNothing;
    /** Whether it prepares only unnamed statements and statements under names that were free, and closes nothing. */
    private boolean namesAnew;
    /** Whether it uses only statements that it has prepared itself. */
    private boolean onlyOwn;

    private int length;
    private boolean endsWithSync;
    private boolean onlyUnnamed;
    private boolean onlyRoute;
    private boolean keepsPortal;
    private boolean usesEarlierPortal;
    private boolean namesPortal;
    private boolean inOrder;
    private boolean asksRoute;
    /** The server processes about which its statements may ask. */
    private Processes processes = Processes.NONE;

    private int prepared;
    private int bound;
    private int portals;

    /** The statements that are bound, in order, followed by those only prepared or described that a Satellite may not hold. */
    List<Statement> statements() {
        return List.copyOf(executed);
    }

    /** The server processes whose numbers its statements may ask for, whether they are executed or only prepared. */
    Processes processes() {
        return processes;
    }

    /** The index, from 0, of the message to which this one of {@link #statements} belongs. */
    int messageOf(int statement) {
        return executedBy.get(statement);
    }

    /** The index, from 0, of the first message that uses the statement. */
    int messageThatUses(PreparedStatement statement) {
        return usedBy.get(uses.indexOf(statement));
    }

    /** The leading part of {@link #statements} that belongs to messages before this one. */
    List<Statement> statementsBefore(int message) {
        int count = 0;
        while (count < executed.size() && executedBy.get(count) < message) {
            count++;
        }
        return List.copyOf(executed.subList(0, count));
    }

    /** The SQL of the statements that set parameters by a function, or may. */
    List<byte[]> texts() {
        return texts;
    }

    /** Whether an engine must answer any of it. Otherwise it only closes statements or portals and synchronises. */
    boolean needsEngine() {
        return needsEngine;
    }

    /** Whether it ends with Sync. Otherwise it ends with Flush or before a message of another kind. */
    boolean endsWithSync() {
        return endsWithSync;
    }

    /** Whether it prepares, binds and executes one statement after the other, all without names, and then synchronises. */
    boolean isPlain() {
        return onlyUnnamed && endsWithSync && prepared == bound && bound == portals;
    }

    /** The effects of its preparations on which later units may rely. */
    Unit.Leaves leaves() {
        if (namesNothing) {
            return Unit.Leaves.NOTHING;
        }
        return namesAnew ? Unit.Leaves.STATEMENTS : Unit.Leaves.ANYTHING;
    }

    /** Whether earlier preparations do not matter to it, because it uses only statements that it prepares itself without a name. */
    boolean isSelfContained() {
        return namesNothing && onlyOwn;
    }

    /** Whether it asks for SHOW multimed.route, alone or among others. */
    boolean asksRoute() {
        return asksRoute;
    }

    /** Whether later messages may use a portal of a query, because it has a name or may be executed further. */
    boolean keepsPortal() {
        return keepsPortal;
    }

    /** Whether it creates a portal that it does not execute, so that later messages must find it. */
    boolean leavesPortal() {
        return bound > portals;
    }

    /** Whether the unnamed portal is the only one that it creates and does not execute, and it creates none with a name. */
    boolean leavesUnnamedPortal() {
        return bound == portals + 1 && !namesPortal;
    }

    /** Whether it uses a portal that earlier messages have created. */
    boolean usesEarlierPortal() {
        return usesEarlierPortal;
    }

    /**
     * Whether it only creates an unnamed portal without parameters, executes it and synchronises, perhaps after preparing the
     * statement, and succeeds if the statement does.
     */
    boolean isOneExecution() {
        return inOrder && endsWithSync && prepared <= 1 && bound == 1 && portals == 1;
    }

    /** The statements prepared earlier that it uses, except for a BEGIN. */
    List<PreparedStatement> uses() {
        return List.copyOf(uses);
    }

    /** Whether it deals only with SHOW multimed.route, and succeeds. */
    boolean isOnlyRoute() {
        return onlyRoute && needsEngine;
    }

    /** Number of statements that it prepares. */
    int prepared() {
        return prepared;
    }

    /** Number of bytes from the head of the input to the segment's end. */
    int length() {
        return length;
    }

    /** Ends the segment behind the available messages, though neither Sync nor Flush is among them. */
    void endHere() {
        keepsPortal |= bound > portals;
    }

    Result scan(ByteBuf in, Statements known) throws ProtocolException {
        executed.clear();
        processes = Processes.NONE;
        executedBy.clear();
        usedBy.clear();
        messages = 0;
        parsed.clear();
        texts.clear();
        unclassified = false;
        needsEngine = false;
        endsWithSync = false;
        onlyUnnamed = true;
        onlyRoute = true;
        keepsPortal = false;
        usesEarlierPortal = false;
        namesPortal = false;
        inOrder = true;
        asksRoute = false;
        portalsMade.clear();
        present.clear();
        prepared = 0;
        bound = 0;
        portals = 0;
        uses.clear();
        namesNothing = true;
        namesAnew = true;
        onlyOwn = true;
        int start = in.readerIndex();
        int end = in.writerIndex();
        int at = start;
        while (true) {
            length = at - start;
            if (end - at < 5) {
                return Result.MORE_INPUT;
            }
            byte type = in.getByte(at);
            int total = in.getInt(at + 1);
            Frontend.checkHeader(type, total);
            total++;
            if (!isExtended(type)) {
                return ended();
            }
            if (end - at < total) {
                return Result.MORE_INPUT;
            }
            message(type, in, at, known);
            at += total;
            messages++;
            if (type == Frontend.SYNC || type == Frontend.FLUSH) {
                length = at - start;
                endsWithSync = type == Frontend.SYNC;
                return ended();
            }
        }
    }

    private Result ended() {
        return unclassified ? Result.UNCLASSIFIED : Result.COMPLETE;
    }

    /**
     * Whether a segment that was incomplete still is. Examining all of it with every byte that arrives would take time quadratic in
     * its length.
     */
    boolean isStillIncomplete(ByteBuf in) throws ProtocolException {
        while (true) {
            int there = in.readableBytes() - length;
            if (there < 5) {
                return true;
            }
            int at = in.readerIndex() + length;
            byte type = in.getByte(at);
            int total = in.getInt(at + 1);
            Frontend.checkHeader(type, total);
            if (!isExtended(type)) {
                return false;
            }
            if (there < total + 1) {
                return true;
            }
            if (type == Frontend.SYNC || type == Frontend.FLUSH) {
                return false;
            }
            length += total + 1;
        }
    }

    private void message(byte type, ByteBuf in, int at, Statements known) {
        switch (type) {
            case Frontend.PARSE -> {
                needsEngine = true;
                var parse = ExtendedMessage.Parse.decode(in, at);
                if (parse == null) {
                    onlyRoute = false;
                    inOrder = false;
                    execute(UNKNOWN);
                    return;
                }
                ClassifiedSql sql = PreparedStatement.namesUserType(parse.parameterTypes())
                        ? ClassifiedSql.UNPARSED
                        : known.classify(parse.sql());
                if (sql == null) {
                    sql = unclassified();
                }
                prepared++;
                namesNothing &= parse.name().isEmpty();
                namesAnew = namesAnew && (parse.name().isEmpty() || isFree(parse.name(), known));
                onlyUnnamed &= parse.name().isEmpty() && sql.statements().size() == 1;
                onlyRoute = onlyRoute
                        && MultimedSettings.asksRoute(sql.statements())
                        && ExtendedMessage.isText(parse.name())
                        && (parse.name().isEmpty() || !isPresent(parse.name(), known));
                if (onlyRoute) {
                    present.put(parse.name(), true);
                }
                inOrder = inOrder
                        && bound == 0
                        && ExtendedMessage.isText(parse.name())
                        && (parse.name().isEmpty() || known.named(parse.name()) == null);
                processes = processes.and(sql.processes());
                parsed.put(parse.name(), sql);
                collectText(sql, parse.sql());
                preparedOnly(sql);
            }
            case Frontend.BIND -> {
                needsEngine = true;
                var bind = ExtendedMessage.Bind.decode(in, at);
                bound++;
                onlyUnnamed = onlyUnnamed
                        && bind != null
                        && bind.isUnnamed()
                        && bound == prepared
                        && !bind.hasParameters(in, at);
                namesPortal |= bind == null || bind.statementStart() > 6;
                keepsPortal |= namesPortal;
                inOrder = inOrder && bind != null && bind.statementStart() == 6 && !bind.hasParameters(in, at);
                named(bind == null ? null : bind.statement(), known, true);
                if (onlyRoute && bind != null) {
                    portalsMade.add(OwnPortals.made(in, at, bind));
                }
            }
            case Frontend.DESCRIBE -> {
                needsEngine = true;
                var describe = ExtendedMessage.Named.decode(in, at);
                if (describe == null) {
                    onlyRoute = false;
                    execute(UNKNOWN);
                } else if (describe.kind() == 'S') {
                    inOrder &= parsed.containsKey(describe.name());
                    named(describe.name(), known, false);
                } else {
                    usesEarlierPortal |= bound == 0;
                    onlyRoute &= portalsMade.contains(describe.name());
                    inOrder &= bound == 1 && describe.name().isEmpty();
                }
            }
            case Frontend.EXECUTE -> {
                needsEngine = true;
                portals++;
                usesEarlierPortal |= bound == 0;
                // A message without even a name is malformed.
                boolean unnamed = in.getInt(at + 1) > 4 && in.getByte(at + 5) == 0;
                inOrder &= bound == 1 && unnamed;
                keepsPortal |= in.getInt(at + in.getInt(at + 1) - 3) != 0 && !(portals == 1 && beginsBlock());
                onlyUnnamed &= unnamed && portals == bound;
                onlyRoute = onlyRoute && portalsMade.contains(OwnPortals.executed(in, at));
            }
            case Frontend.CLOSE -> {
                onlyUnnamed = false;
                namesNothing = false;
                namesAnew = false;
                inOrder = false;
                var close = ExtendedMessage.Named.decode(in, at);
                needsEngine |= close == null || !close.isWellFormed();
                onlyRoute = onlyRoute && close != null && close.isWellFormed() && closes(close, known);
            }
            case Frontend.SYNC, Frontend.FLUSH -> {
                // A message with a body is malformed, and the engine reports the error.
                boolean wellFormed = in.getInt(at + 1) == 4;
                keepsPortal |= bound > portals;
                needsEngine |= !wellFormed;
                onlyRoute &= wellFormed;
            }
            default -> {}
        }
    }

    /** Returns a preliminary classification. The segment will be examined again, so the present result does not matter. */
    private ClassifiedSql unclassified() {
        unclassified = true;
        return ClassifiedSql.UNPARSED;
    }

    private void execute(Statement statement) {
        executed.add(statement);
        executedBy.add(messages);
    }

    /** Whether the first statement that it executes is a BEGIN. */
    private boolean beginsBlock() {
        return isBegin(executed);
    }

    private static boolean isBegin(List<Statement> statements) {
        return !statements.isEmpty() && statements.getFirst() instanceof Statement.Begin;
    }

    private boolean isFree(String name, Statements known) {
        return ExtendedMessage.isText(name) && !parsed.containsKey(name) && known.named(name) == null;
    }

    private boolean isPresent(String name, Statements known) {
        Boolean here = present.get(name);
        return here != null ? here : known.named(name) != null;
    }

    /** Whether it closes a statement or portal that no engine holds. */
    private boolean closes(ExtendedMessage.Named close, Statements known) {
        if (close.kind() != 'S') {
            return portalsMade.remove(close.name());
        }
        boolean closes = !close.name().isEmpty() && isPresent(close.name(), known);
        present.put(close.name(), false);
        return closes;
    }

    private void named(@Nullable String name, Statements known, boolean executes) {
        ClassifiedSql sql = name == null ? null : parsed.get(name);
        onlyOwn &= sql != null;
        if (sql == null && name != null) {
            PreparedStatement statement = known.named(name);
            if (statement != null) {
                sql = known.classify(statement);
                if (sql == null) {
                    sql = unclassified();
                }
                processes = processes.and(sql.processes());
                if (!isBegin(sql.statements())) {
                    uses.add(statement);
                    usedBy.add(messages);
                }
                collectText(sql, statement.sql());
            }
        }
        if (sql == null) {
            onlyRoute = false;
            execute(UNKNOWN);
        } else if (name != null && MultimedSettings.asksRoute(sql.statements())) {
            asksRoute = true;
            // It is answered among the other messages, wherever those are executed.
            onlyRoute = onlyRoute && isPresent(name, known);
        } else {
            onlyRoute = false;
            if (executes) {
                sql.statements().forEach(this::execute);
            } else {
                preparedOnly(sql);
            }
        }
    }

    private void collectText(ClassifiedSql sql, byte[] text) {
        if (sql.effect() == SessionEffect.SETTINGS || sql.effect().runsCode()) {
            texts.add(text);
        }
    }

    /**
     * Adds statements that are only prepared. Preparing takes locks and resolves names, as executing does, but has no effect on the
     * session yet.
     */
    private void preparedOnly(ClassifiedSql sql) {
        for (Statement statement : sql.statements()) {
            if (statement instanceof Statement.Read) {
                execute(statement);
            } else if (statement instanceof Statement.Update update) {
                execute(new Statement.Update(update.reason(), SessionEffect.NONE, update.because()));
            }
        }
    }

    static boolean isExtended(byte type) {
        return switch (type) {
            case Frontend.PARSE,
                    Frontend.BIND,
                    Frontend.DESCRIBE,
                    Frontend.EXECUTE,
                    Frontend.CLOSE,
                    Frontend.FLUSH,
                    Frontend.SYNC -> true;
            default -> false;
        };
    }
}
