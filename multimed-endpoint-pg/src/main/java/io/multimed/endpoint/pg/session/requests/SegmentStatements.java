package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.OwnMessages;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.NotRead;
import io.multimed.sql.Processes;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a {@link Segment}: those that it binds, in order, and among them those only prepared or described that a
 * Satellite may not hold. Immutable once created.
 */
final class SegmentStatements {
    private static final Statement UNKNOWN =
            new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood");

    private static final Statement PARSED = new Statement.Update(NotRead.MASTER_ONLY, SessionEffect.NONE, "EXPLAIN");

    static final SegmentStatements NONE = new SegmentStatements();

    private final List<Statement> statements = new ArrayList<>();
    /** For each statement, the index of its message in the segment, from 0. */
    private final List<Integer> messages = new ArrayList<>();

    private final List<byte[]> texts = new ArrayList<>(0);
    private Processes processes = Processes.NONE;
    private boolean asksRoute;
    private boolean asksExplanation;
    /** The texts that EXPLAIN (MULTIMED) stands in, by the names under which the segment prepares them. */
    private final Map<String, byte[]> explanations = new HashMap<>(0);

    private final List<byte[]> explained = new ArrayList<>(0);

    private SegmentStatements() {}

    static SegmentStatements of(Segment segment) {
        SegmentStatements all = new SegmentStatements();
        for (int i = 0; i < segment.messages().size(); i++) {
            all.add(segment.messages().get(i), i);
        }
        return all;
    }

    /** The statements in order. */
    List<Statement> all() {
        return List.copyOf(statements);
    }

    /** The index, from 0, of the message to which this one of {@link #all} belongs. */
    int messageOf(int statement) {
        return messages.get(statement);
    }

    /** The leading part of {@link #all} that belongs to messages before this one. */
    List<Statement> before(int message) {
        int count = 0;
        while (count < statements.size() && messages.get(count) < message) {
            count++;
        }
        return List.copyOf(statements.subList(0, count));
    }

    /** Whether the first statement is a BEGIN that belongs to a message before this one. */
    boolean beginBefore(int message) {
        return !statements.isEmpty()
                && messages.getFirst() < message
                && statements.getFirst() instanceof Statement.Begin;
    }

    /** The SQL of the statements that set parameters by a function, or may. */
    List<byte[]> texts() {
        return List.copyOf(texts);
    }

    /** The server processes whose numbers the statements may ask for, whether they are executed or only prepared. */
    Processes processes() {
        return processes;
    }

    /** Whether SHOW multimed.route is among the messages, which is not among {@link #all}. */
    boolean asksRoute() {
        return asksRoute;
    }

    /** Whether it prepares, describes or executes EXPLAIN (MULTIMED). */
    boolean asksExplanation() {
        return asksExplanation;
    }

    /** The texts with EXPLAIN (MULTIMED) that it binds. */
    List<byte[]> explained() {
        return explained;
    }

    private void add(SegmentMessage message, int index) {
        switch (message) {
            case SegmentMessage.Malformed malformed -> {
                if (malformed.type() != Frontend.CLOSE) {
                    add(UNKNOWN, index);
                }
            }
            case SegmentMessage.Parse parse -> {
                concerns(parse.sql(), parse.message().sql());
                if (OwnMessages.areExplanation(parse.sql().statements())) {
                    explanations.put(parse.name(), parse.message().sql());
                }
                addPrepared(parse.sql(), index);
            }
            case SegmentMessage.Bind bind -> {
                ClassifiedSql sql = named(bind.statement(), index);
                if (sql != null && OwnMessages.areExplanation(sql.statements())) {
                    addExplained(bind.statement());
                }
                if (sql != null) {
                    for (Statement statement : sql.statements()) {
                        add(statement, index);
                    }
                }
            }
            case SegmentMessage.DescribeStatement describe -> {
                ClassifiedSql sql = named(describe.statement(), index);
                if (sql != null) {
                    addPrepared(sql, index);
                }
            }
            case SegmentMessage.DescribePortal ignored -> {}
            case SegmentMessage.Execute ignored -> {}
            case SegmentMessage.Close ignored -> {}
            case SegmentMessage.Last ignored -> {}
        }
    }

    private void addExplained(SegmentMessage.Reference statement) {
        asksExplanation = true;
        PreparedStatement earlier = statement.earlier();
        byte[] text = earlier != null ? earlier.sql() : explanations.get(statement.name());
        if (text != null) {
            explained.add(text);
        }
    }

    private void add(Statement statement, int message) {
        statements.add(statement);
        messages.add(message);
    }

    /** Returns the statements to add for a message that names them; null if there are none. */
    private @Nullable ClassifiedSql named(SegmentMessage.Reference statement, int message) {
        ClassifiedSql sql = statement.sql();
        if (sql == null) {
            add(UNKNOWN, message);
            return null;
        }
        if (statement.earlier() != null) {
            concerns(sql, statement.earlier().sql());
        }
        if (MultimedSettings.asksRoute(sql.statements())) {
            // It is answered among the other messages, wherever those are executed.
            asksRoute = true;
            return null;
        }
        return sql;
    }

    /** Notes the concerns of statements beyond their results. Reads have none. */
    private void concerns(ClassifiedSql sql, byte[] text) {
        if (sql.isReadOnly()) {
            return;
        }
        processes = processes.and(sql.processes());
        if (sql.effect() == SessionEffect.SETTINGS || sql.effect().runsCode()) {
            texts.add(text);
        }
    }

    /**
     * Adds statements that are only prepared. Preparing takes locks and resolves names, as executing does, but has no effect on the
     * session yet.
     */
    private void addPrepared(ClassifiedSql sql, int message) {
        for (Statement statement : sql.statements()) {
            if (statement instanceof Statement.Read) {
                add(statement, message);
            } else if (statement instanceof Statement.ExplainPlacement explanation) {
                asksExplanation = true;
                if (explanation.alone()) {
                    // The Master parses the statement that is to be explained.
                    add(PARSED, message);
                }
            } else if (statement instanceof Statement.Update update) {
                add(new Statement.Update(update.reason(), SessionEffect.NONE, update.because()), message);
            }
        }
    }
}
