package io.multimed.jdbc.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * A token of a statement.
 *
 * @param text the text of a word, name or literal; empty for other kinds
 * @param symbol the character of a {@link Kind#SYMBOL}
 * @param start position in the text of the statement
 * @param end position behind the token
 */
public record SqlToken(Kind kind, String text, char symbol, int start, int end) {
    /** The kind of a token. */
    public enum Kind {
        END,
        /** A word without quotes, {@link SqlToken#text} in upper case. */
        WORD,
        /** An identifier in double quotes, {@link SqlToken#text} without them. */
        QUOTED,
        STRING,
        NUMBER,
        /** One character of punctuation or of an operator: {@link SqlToken#symbol}. */
        SYMBOL,
        STRANGE
    }

    /** Stands behind the last token. */
    public static final SqlToken END = new SqlToken(Kind.END, "", (char) 0, 0, 0);

    /** Returns all tokens of a text in the lexical rules of described engines, even if they are of several statements. */
    public static List<SqlToken> all(String sql) {
        SqlLexer lexer = new SqlLexer(sql, Dialect.DESCRIBED);
        List<SqlToken> tokens = new ArrayList<>();
        for (Kind kind = lexer.next(); kind != Kind.END; kind = lexer.next()) {
            tokens.add(lexer.token(kind));
        }
        return tokens;
    }

    /** Returns a token of a list, or {@link #END} if there is none at that index. */
    public static SqlToken get(List<SqlToken> tokens, int index) {
        return index >= 0 && index < tokens.size() ? tokens.get(index) : END;
    }

    /** Whether it is this word, given in upper case. */
    public boolean is(String word) {
        return kind == Kind.WORD && text.equals(word);
    }

    public boolean is(char c) {
        return kind == Kind.SYMBOL && symbol == c;
    }

    public boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }
}
