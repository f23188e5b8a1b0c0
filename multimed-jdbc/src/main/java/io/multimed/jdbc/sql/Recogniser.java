package io.multimed.jdbc.sql;

import io.multimed.jdbc.sql.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Makes a {@link SqlText} from a text: separates its statements, each of which the grammar recognises. Has no state; any thread. */
final class Recogniser {
    /** Longest text that is recognised. Longer scripts are not written by hand, and recognising one requires reading all of it. */
    private static final int MAX_LENGTH = 1 << 20;

    private final Grammar grammar;

    Recogniser(Grammar grammar) {
        this.grammar = grammar;
    }

    SqlText recognise(String sql) {
        if (sql.length() > MAX_LENGTH) {
            return grammar.tooLong(sql, MAX_LENGTH);
        }
        SqlLexer lexer = new SqlLexer(sql, grammar.dialect());
        List<SqlText> parts = new ArrayList<>();
        List<SqlToken> tokens = new ArrayList<>();
        boolean routine = false;
        boolean odd = false;
        while (true) {
            Kind kind = lexer.next();
            if (kind == Kind.END || (lexer.symbol() == ';' && kind == Kind.SYMBOL && !routine)) {
                if (!tokens.isEmpty()) {
                    int end = kind == Kind.END ? sql.length() : lexer.start();
                    SqlText part = grammar.statement(sql.substring(tokens.get(0).start(), end), tokens);
                    // The text has comments that another reader of the text may not take for comments.
                    parts.add(odd && part.isRead() ? SqlText.of(part.sql(), SqlKind.WRITE) : part);
                }
                if (kind == Kind.END) {
                    break;
                }
                tokens = new ArrayList<>();
                continue;
            }
            if (lexer.isComment()) {
                odd = true;
                continue;
            }
            tokens.add(lexer.token(kind));
            // The body of a routine or trigger contains semicolons and ends with the text.
            routine = routine || isRoutine(tokens);
        }
        if (parts.isEmpty()) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        if (parts.size() == 1) {
            SqlText part = parts.get(0);
            return part.in(sql);
        }
        return grammar.several(sql, parts);
    }

    private boolean isRoutine(List<SqlToken> tokens) {
        return grammar.hasBodies()
                && tokens.get(tokens.size() - 1).is("BEGIN")
                && tokens.get(0).kind() == Kind.WORD
                && Set.of("CREATE", "ALTER").contains(tokens.get(0).text());
    }
}
