package io.multimed.sql;

import java.util.List;

/**
 * The statements of one Query or Parse message. Immutable; instances are shared between sessions.
 *
 * @param statements in order; a string without any statement holds one {@link Statement.Empty}
 */
public record ClassifiedSql(List<Statement> statements) {
    /** What nobody understood: the Master executes it and is asked afterwards what it left behind. */
    public static final ClassifiedSql UNPARSED = unparsed("not understood");

    public ClassifiedSql {
        statements = List.copyOf(statements);
    }

    static ClassifiedSql unparsed(String because) {
        return of(new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, because));
    }

    static ClassifiedSql of(Statement statement) {
        return new ClassifiedSql(List.of(statement));
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
