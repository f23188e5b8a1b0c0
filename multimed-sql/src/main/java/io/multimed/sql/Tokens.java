package io.multimed.sql;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement as a list of tokens. Lists of literals are shortened as in its {@link Shape}. Immutable except for a cached result.
 */
final class Tokens {
    private final List<Token> tokens;
    private final boolean erroneous;
    private int @Nullable [] partners;

    private Tokens(List<Token> tokens, boolean erroneous) {
        this.tokens = tokens;
        this.erroneous = erroneous;
    }

    static Tokens of(byte[] sql, int from, int to) {
        Lexer lexer = new Lexer();
        lexer.reset(sql, from, to);
        return all(sql, lexer, () -> ShapeReader.next(lexer));
    }

    /** Returns the tokens of a statement with every literal. */
    static Tokens complete(byte[] sql, int from, int to) {
        Lexer lexer = new Lexer();
        lexer.reset(sql, from, to);
        return all(sql, lexer, lexer::next);
    }

    private static Tokens all(byte[] sql, Lexer lexer, IntSupplier next) {
        List<Token> tokens = new ArrayList<>();
        for (int kind = next.getAsInt(); kind != Lexer.EOF; kind = next.getAsInt()) {
            if (kind == Lexer.ERROR) {
                return new Tokens(tokens, true);
            }
            tokens.add(new Token(kind, text(kind, sql, lexer), lexer.start(), lexer.end()));
        }
        return new Tokens(tokens, false);
    }

    static Tokens of(String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length);
    }

    private static String text(int kind, byte[] sql, Lexer lexer) {
        return switch (kind) {
            case Lexer.WORD -> lowerCase(sql, lexer.start(), lexer.end());
            case Lexer.QUOTED -> string(sql, lexer.start(), lexer.end()).replace("\"\"", "\"");
            case Lexer.OPERATOR, Lexer.PUNCTUATION -> string(sql, lexer.start(), lexer.end());
            default -> "";
        };
    }

    private static String string(byte[] sql, int start, int end) {
        return new String(sql, start, end - start, StandardCharsets.UTF_8);
    }

    private static String lowerCase(byte[] sql, int start, int end) {
        byte[] word = new byte[end - start];
        for (int i = 0; i < word.length; i++) {
            word[i] = (byte) Verb.fold(sql[start + i]);
        }
        return new String(word, StandardCharsets.UTF_8);
    }

    int size() {
        return tokens.size();
    }

    /** Returns the token at an index; {@link Token#END} before the first and behind the last. */
    Token get(int index) {
        return index < 0 || index >= tokens.size() ? Token.END : tokens.get(index);
    }

    boolean erroneous() {
        return erroneous;
    }

    /** Returns the tokens between two indexes. */
    Tokens sub(int from, int to) {
        return new Tokens(tokens.subList(from, to), erroneous);
    }

    Tokens withoutSemicolon() {
        return get(size() - 1).is(';') ? sub(0, size() - 1) : this;
    }

    /** Returns the tokens as text. Equal texts mean equal tokens. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Token token : tokens) {
            text.append(token.kind()).append(token.text()).append('\0');
        }
        return text.toString();
    }

    /** Returns the index of the bracket that closes the one at {@code open}; {@link #size} if there is none. */
    int closing(int open) {
        int partner = open >= 0 && open < size() ? partners()[open] : -1;
        return partner < 0 ? size() : partner;
    }

    /** Returns the index of the bracket that the one at {@code close} closes; -1 if there is none. */
    int opening(int close) {
        return close >= 0 && close < size() ? partners()[close] : -1;
    }

    /** Returns, for each bracket, the index of its partner, and -1 for every other token. Computed once. */
    private int[] partners() {
        int[] known = partners;
        if (known == null) {
            known = new int[tokens.size()];
            int[] open = new int[tokens.size()];
            int depth = 0;
            for (int i = 0; i < known.length; i++) {
                known[i] = -1;
                Token token = tokens.get(i);
                if (token.is('(') || token.is('[')) {
                    open[depth++] = i;
                } else if ((token.is(')') || token.is(']')) && depth > 0) {
                    known[i] = open[--depth];
                    known[known[i]] = i;
                }
            }
            partners = known;
        }
        return known;
    }

    /** Returns these tokens followed by others. */
    Tokens then(Tokens others) {
        List<Token> all = new ArrayList<>(tokens);
        all.addAll(others.tokens);
        return new Tokens(all, erroneous || others.erroneous);
    }

    /** Returns the index of the first such word at or behind {@code from}; -1 if there is none. */
    int find(String word, int from) {
        for (int i = from; i < tokens.size(); i++) {
            if (tokens.get(i).is(word)) {
                return i;
            }
        }
        return -1;
    }
}
