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
 * Looks ahead over extended query messages, from the head of the input to Sync or Flush, and finds out which statements
 * they execute. Takes nothing from the input.
 */
final class SegmentScanner {
    enum Result {
        COMPLETE,
        MORE_INPUT,
        /** All of it is there, but some statements have to be classified first. */
        UNCLASSIFIED
    }

    /** Classifies the statements that a segment prepares. */
    interface Statements {
        /** @return null if it has to be classified first */
        @Nullable
        ClassifiedSql classify(byte[] sql);

        /** What a name bound by the client stands for; null if nothing known. */
        @Nullable
        PreparedStatement named(String name);

        @Nullable
        ClassifiedSql classify(PreparedStatement statement);
    }

    private static final Statement UNKNOWN =
            new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood");

    private final List<Statement> executed = new ArrayList<>();
    /** For each, which message of the segment that is, from 0. */
    private final List<Integer> executedBy = new ArrayList<>();

    private final Map<String, ClassifiedSql> parsed = new HashMap<>();
    private final List<byte[]> texts = new ArrayList<>();
    /** While {@link #onlyRoute}: the portals that the segment has made, and whether statements that it names are there. */
    private final Set<String> portalsMade = new HashSet<>();

    private final Map<String, Boolean> present = new HashMap<>();
    /** Statements prepared before of which it makes use. */
    private final List<PreparedStatement> uses = new ArrayList<>();
    /** Likewise. */
    private final List<Integer> usedBy = new ArrayList<>();
    /** Those looked at. */
    private int messages;

    private boolean unclassified;
    private boolean needsEngine;
    private boolean namesNothing;
    /** Or nothing that had a name before. */
    private boolean namesAnew;
    /** It makes use of no statement that it has not prepared itself. */
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
    /** The server processes that its statements may ask about. */
    private Processes processes = Processes.NONE;

    private int prepared;
    private int bound;
    private int portals;

    /** Statements that are bound, in order, then those only prepared or described that a Satellite may not hold. */
    List<Statement> statements() {
        return List.copyOf(executed);
    }

    /** The server processes whose numbers its statements may ask for, executed or only prepared. */
    Processes processes() {
        return processes;
    }

    /** Which of its messages, from 0, concerns this one of {@link #statements}. */
    int messageOf(int statement) {
        return executedBy.get(statement);
    }

    /** The first of its messages, from 0, that makes use of it. */
    int messageThatUses(PreparedStatement statement) {
        return usedBy.get(uses.indexOf(statement));
    }

    /** Those of {@link #statements} that the messages before this one concern. */
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

    /** Whether anything in it must be said by an engine; otherwise it only closes things and synchronises. */
    boolean needsEngine() {
        return needsEngine;
    }

    /** Whether it ends with Sync, or with Flush or a message of another kind. */
    boolean endsWithSync() {
        return endsWithSync;
    }

    /** Whether it prepares, binds and executes one statement after the other, all without names, and then synchronises. */
    boolean isPlain() {
        return onlyUnnamed && endsWithSync && prepared == bound && bound == portals;
    }

    /** Of what use the statements that it prepares are to later units. */
    Unit.Leaves leaves() {
        if (namesNothing) {
            return Unit.Leaves.NOTHING;
        }
        return namesAnew ? Unit.Leaves.STATEMENTS : Unit.Leaves.ANYTHING;
    }

    /** Whether what was prepared before does not matter to it: it makes use of nothing else than what it prepares without a name. */
    boolean isSelfContained() {
        return namesNothing && onlyOwn;
    }

    /** Whether it asks for SHOW multimed.route, among others or alone. */
    boolean asksRoute() {
        return asksRoute;
    }

    /** Whether a portal of a query may be of use to later messages: it has a name, or may be executed further. */
    boolean keepsPortal() {
        return keepsPortal;
    }

    /** Whether it makes a portal that it does not execute, so that later messages must find it. */
    boolean leavesPortal() {
        return bound > portals;
    }

    /** Whether the only portal that it makes and does not execute is the unnamed one, and it makes none with a name. */
    boolean leavesUnnamedPortal() {
        return bound == portals + 1 && !namesPortal;
    }

    /** Whether it makes use of a portal that earlier messages have made. */
    boolean usesEarlierPortal() {
        return usesEarlierPortal;
    }

    /**
     * Whether it does nothing but make a portal without name and parameters, execute that and synchronise, having prepared
     * the statement perhaps, and goes well if the statement does.
     */
    boolean isOneExecution() {
        return inOrder && endsWithSync && prepared <= 1 && bound == 1 && portals == 1;
    }

    /** Statements prepared before of which it makes use, but for a BEGIN. */
    List<PreparedStatement> uses() {
        return List.copyOf(uses);
    }

    /** Whether it is about nothing but SHOW multimed.route, and goes well. */
    boolean isOnlyRoute() {
        return onlyRoute && needsEngine;
    }

    /** How many statements it prepares. */
    int prepared() {
        return prepared;
    }

    /** Bytes from the head of the input to the segment's end. */
    int length() {
        return length;
    }

    /** The segment ends behind the messages that are there, though neither Sync nor Flush is among them. */
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
     * Whether a segment that was incomplete still is: looking at all of it with every byte that arrives would take time
     * that grows with the square of its length.
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
                // Without even a name it is malformed.
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
                // With a body it is malformed: the engine words the error.
                boolean wellFormed = in.getInt(at + 1) == 4;
                keepsPortal |= bound > portals;
                needsEngine |= !wellFormed;
                onlyRoute &= wellFormed;
            }
            default -> {}
        }
    }

    /** The segment will be looked at again: what is said of it now does not matter. */
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

    /** Whether it closes a statement or portal of which no engine need be told. */
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
            // Answered among the others, wherever those are executed.
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

    /** Preparing takes locks and looks names up, as executing does; it has no effect on the session yet. */
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
