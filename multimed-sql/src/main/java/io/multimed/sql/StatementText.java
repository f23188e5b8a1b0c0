package io.multimed.sql;

import java.nio.charset.StandardCharsets;

/** Statements as people may read them who must not see the data in them. */
public final class StatementText {
    private static final String CUT = "…";

    private StatementText() {}

    /**
     * Returns the text with {@code ?} in place of each literal, one for a list of them, and without comments. From something on that is no
     * token, nothing is shown: it may be a part of a literal.
     *
     * @param sql in an encoding that {@link StatementClassifier#understands}; names are shown as UTF-8
     */
    public static String withoutLiterals(byte[] sql, int from, int to) {
        Lexer lexer = new Lexer();
        lexer.reset(sql, from, to);
        StringBuilder text = new StringBuilder(to - from);
        while (true) {
            int before = lexer.position();
            int kind = lexer.next();
            if (kind == Lexer.EOF) {
                return text.toString();
            }
            if (kind == Lexer.ERROR) {
                return text.append(text.isEmpty() ? "" : " ").append(CUT).toString();
            }
            int begin = kind == Lexer.QUOTED ? lexer.start() - 1 : lexer.start();
            if (!text.isEmpty() && begin > before) {
                text.append(' ');
            }
            if (kind >= Lexer.STRING && kind <= Lexer.DECIMAL) {
                text.append('?');
                int behind = lexer.position();
                if (!lexer.isAtEnd()) {
                    ShapeReader.skipSame(lexer, kind);
                }
                if (lexer.position() > behind) {
                    text.append(", ").append(CUT);
                }
            } else {
                text.append(new String(sql, begin, lexer.position() - begin, StandardCharsets.UTF_8));
            }
        }
    }
}
