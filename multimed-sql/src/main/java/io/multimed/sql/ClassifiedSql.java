package io.multimed.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * The statements of one Query or Parse message. Immutable; instances are shared between sessions.
 *
 * @param statements in order; a string without any statement holds one {@link Statement.Empty}
 */
public record ClassifiedSql(List<Statement> statements) {
    /** What nobody understood: the Master executes it and is asked afterwards what it left behind. */
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

    /** The statements of one text, in order. */
    static ClassifiedSql joined(List<ClassifiedSql> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Statement> statements = new ArrayList<>();
        for (ClassifiedSql part : parts) {
            if (part != EMPTY) {
                statements.addAll(part.statements());
            }
        }
        return statements.isEmpty() ? EMPTY : new ClassifiedSql(statements);
    }

    /** Whether it says nothing of the shape, but of the parser at the moment: it is not to be remembered. */
    boolean isOfMoment() {
        return this == OVERLOADED || this == TOOK_TOO_LONG || this == UNPARSED;
    }

    /** SQL that is not understood now; it may ask for the numbers of processes all the same. */
    public static ClassifiedSql notUnderstood(byte[] sql, int length) {
        Processes processes = ProcessNames.in(Tokens.of(sql, 0, length));
        return processes == Processes.NONE
                ? UNPARSED
                : of(new Statement.Update(
                        NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood", false, false, processes));
    }

    /** Whether it is exactly one statement, which a Satellite may execute. */
    public boolean isSingleRead() {
        return statements.size() == 1 && statements.get(0).isRead();
    }

    /** Whether a Satellite may execute all of it as one implicit transaction. */
    public boolean isReadOnly() {
        for (int i = 0; i < statements.size(); i++) {
            if (!statements.get(i).isRead()) {
                return false;
            }
        }
        return true;
    }

    /** The strongest effect of all statements. */
    public SessionEffect effect() {
        SessionEffect effect = SessionEffect.NONE;
        for (int i = 0; i < statements.size(); i++) {
            effect = effect.and(statements.get(i).effect());
        }
        return effect;
    }

    /** The server processes whose numbers it may ask for. */
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

    /** A few words for {@code SHOW multimed.route}: why the first statement that is no read is none. */
    public String because() {
        for (Statement statement : statements) {
            if (statement instanceof Statement.Update update) {
                return update.because();
            }
        }
        return isReadOnly() ? "read" : "session control";
    }
}
