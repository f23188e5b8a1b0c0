package io.multimed.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * The statements of one Query or Parse message. Immutable; instances are shared between sessions.
 *
 * @param statements in order; a string without any statement holds one {@link Statement.Empty}
 */
public record ClassifiedSql(List<Statement> statements) {
    /** The result for SQL that was not understood. The Master executes it and is asked afterwards what it left behind. */
    public static final ClassifiedSql UNPARSED = unparsed("not understood");

    static final ClassifiedSql EMPTY = of(Statement.Empty.INSTANCE);
    static final ClassifiedSql OVERLOADED = unparsed("parser overloaded");
    static final ClassifiedSql TOOK_TOO_LONG = unparsed("parsing took too long");

    public ClassifiedSql {
        statements = List.copyOf(statements);
    }

    static ClassifiedSql unparsed(String because) {
        return of(new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, because));
    }

    static ClassifiedSql of(Statement statement) {
        return new ClassifiedSql(List.of(statement));
    }

    /** Returns the statements of one text, in order. */
    static ClassifiedSql joined(List<ClassifiedSql> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Statement> statements = new ArrayList<>();
        for (ClassifiedSql part : parts) {
            if (!part.equals(EMPTY)) {
                statements.addAll(part.statements());
            }
        }
        return statements.isEmpty() ? EMPTY : new ClassifiedSql(statements);
    }

    /** Whether the result describes the state of the parser at this moment and not the shape. Such a result must not be cached. */
    @SuppressWarnings("ReferenceEquality") // An analysis may have an equal result, which is of the shape.
    boolean isOfMoment() {
        return this == OVERLOADED || this == TOOK_TOO_LONG || this == UNPARSED;
    }

    /** Returns the result for SQL that cannot be analysed now. The statement may nevertheless ask for process numbers. */
    public static ClassifiedSql notUnderstood(byte[] sql, int length) {
        Processes processes = ProcessNames.in(Tokens.of(sql, 0, length));
        return processes == Processes.NONE
                ? UNPARSED
                : of(new Statement.Update(
                        NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood", false, false, processes));
    }

    /** Whether the text is exactly one statement and a Satellite may execute it. */
    public boolean isSingleRead() {
        return statements.size() == 1 && statements.get(0).isRead();
    }

    /** Whether a Satellite may execute all statements as one implicit transaction. */
    public boolean isReadOnly() {
        for (int i = 0; i < statements.size(); i++) {
            if (!statements.get(i).isRead()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the strongest effect of all statements. */
    public SessionEffect effect() {
        SessionEffect effect = SessionEffect.NONE;
        for (int i = 0; i < statements.size(); i++) {
            effect = effect.and(statements.get(i).effect());
        }
        return effect;
    }

    /** Returns the server processes whose numbers the statements may ask for. */
    public Processes processes() {
        Processes processes = Processes.NONE;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.DeclareCursor cursor) {
                statement = cursor.query();
            }
            if (statement instanceof Statement.Update update) {
                processes = processes.and(update.processes());
            }
        }
        return processes;
    }

    /** Returns a few words for {@code SHOW multimed.route}: the reason why the first statement that is no read is none. */
    public String because() {
        for (Statement statement : statements) {
            if (statement instanceof Statement.Update update) {
                return update.because();
            }
        }
        return isReadOnly() ? "read" : "session control";
    }
}
