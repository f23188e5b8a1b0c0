package io.multimed.sql;

import java.util.List;
import java.util.Set;

/**
 * The text of a query as the general SQL parser receives it. It is made from tokens alone, so it depends on nothing but the shape.
 * Syntax that the parser does not know is replaced by something with the same grammar, for example operators by {@code ||}. Names
 * and operators have been judged before; the parser only decides what kind of statement this is.
 */
final class QueryText {
    /** Operators that PostgreSQL and the parser both know. */
    private static final Set<String> COMMON =
            Set.of("=", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "%", "||", "::", "=>");

    /** Reserved words that end an operand. An operator after one of them is binary. */
    private static final Set<String> OPERANDS = Set.of(
            "null",
            "true",
            "false",
            "end",
            "default",
            "current_catalog",
            "current_date",
            "current_role",
            "current_time",
            "current_timestamp",
            "current_user",
            "localtime",
            "localtimestamp",
            "session_user",
            "system_user",
            "user");

    /** Other words after which an operand begins. */
    private static final Set<String> BEFORE_OPERAND =
            Set.of("by", "escape", "zone", "like", "ilike", "between", "is", "next", "first", "values");

    /** Words that may follow a SELECT without columns, which only PostgreSQL allows. */
    private static final Set<String> EMPTY_LIST = Set.of("from", "where", ")", "");

    private final Tokens tokens;
    private final Set<String> foreignKeyWords;
    private final StringBuilder text = new StringBuilder();

    private QueryText(Tokens tokens, Set<String> foreignKeyWords) {
        this.tokens = tokens;
        this.foreignKeyWords = foreignKeyWords;
    }

    /**
     * Returns the text of a query.
     *
     * @param foreignKeyWords words that the parser reserves but PostgreSQL does not know
     */
    static String of(Tokens tokens, Set<String> foreignKeyWords) {
        QueryText query = new QueryText(tokens, foreignKeyWords);
        for (int i = 0; i < tokens.size(); ) {
            i = query.append(i);
        }
        return query.text.toString();
    }

    /** Appends the syntax that begins at a token. Returns the index at which the next begins. */
    private int append(int i) {
        Token token = tokens.get(i);
        if (token.is("collate")) {
            return behindName(i + 1);
        }
        if (token.is("operator") && tokens.get(i + 1).is('(')) {
            write(isPrefix(i) ? "-" : "||");
            return tokens.closing(i + 1) + 1;
        }
        write(word(token, i));
        Token next = tokens.get(i + 1);
        if (token.is("select") && !next.isLiteral() && EMPTY_LIST.contains(next.text())) {
            write("1");
        }
        return i + 1;
    }

    private void write(String word) {
        if (text.length() > 0) {
            text.append(' ');
        }
        text.append(word);
    }

    private int behindName(int i) {
        int behind = i + 1;
        while (tokens.get(behind).is('.')) {
            behind += 2;
        }
        return behind;
    }

    private String word(Token token, int i) {
        return switch (token.kind()) {
            case Lexer.WORD -> foreignKeyWords.contains(token.text()) ? quote(token.text()) : plain(token.text());
            case Lexer.QUOTED -> quote(token.text());
            case Lexer.STRING, Lexer.BITS -> "'s'";
            case Lexer.INTEGER -> "1";
            case Lexer.DECIMAL -> "1.5";
            case Lexer.PARAMETER -> "?";
            case Lexer.OPERATOR -> operator(token.text(), i);
            default -> token.text();
        };
    }

    private static String quote(String name) {
        return '"' + plain(name) + '"';
    }

    private static String plain(String name) {
        StringBuilder plain = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            plain.append(isPlain ? c : '_');
        }
        return plain.toString();
    }

    private String operator(String operator, int i) {
        if (COMMON.contains(operator)) {
            return operator;
        }
        if (operator.equals(":=")) {
            return "=>";
        }
        return isPrefix(i) ? "-" : "||";
    }

    private boolean isPrefix(int i) {
        Token before = tokens.get(i - 1);
        return switch (before.kind()) {
            case Lexer.EOF, Lexer.OPERATOR -> true;
            case Lexer.PUNCTUATION -> List.of("(", "[", ",").contains(before.text());
            case Lexer.WORD ->
                BEFORE_OPERAND.contains(before.text())
                        || (KeyWords.isReserved(before.text()) && !OPERANDS.contains(before.text()));
            default -> false;
        };
    }
}
