package io.multimed.sql;

/**
 * PostgreSQL's lexical rules (src/backend/parser/scan.l of 15 to 18) over bytes, without allocating.
 *
 * <p>Stricter than the original where versions or settings differ. Statements that are refused here only go to the Master.
 * <ul>
 *   <li>a backslash before a quote in an ordinary string means different things under
 *       {@code standard_conforming_strings}: {@link #ERROR}
 *   <li>identifiers longer than NAMEDATALEN - 1 would be truncated: {@link #ERROR}
 *   <li>identifiers with Unicode escapes: {@link #ERROR}
 * </ul>
 *
 * <p>It has more lines than other classes, since all rules move the same position over the same bytes, and a cut would cost a
 * call for each token.
 *
 * <p>Reusable; one thread at a time. After {@link #next} the token's bytes are {@link #start} to {@link #end}.
 */
final class Lexer {
    static final int EOF = 0;
    /** Not a token of PostgreSQL, or a token whose meaning depends on settings. */
    static final int ERROR = 1;
    /** An identifier or keyword without quotes. ASCII letters count as lower case. */
    static final int WORD = 2;
    /** An identifier in double quotes. Start and end exclude the quotes; doubled quotes may lie between them. */
    static final int QUOTED = 3;
    /** A string constant of any form. */
    static final int STRING = 4;
    /** A bit string constant: B'…' or X'…'. */
    static final int BITS = 5;

    static final int INTEGER = 6;
    static final int DECIMAL = 7;
    /** A parameter: $n. */
    static final int PARAMETER = 8;
    /** An operator, {@code :=}, {@code =>}, {@code ::} or {@code ..}. */
    static final int OPERATOR = 9;
    /** One of {@code , ( ) [ ] . ; :}. */
    static final int PUNCTUATION = 10;

    /** NAMEDATALEN - 1 of a stock build (pg_config_manual.h). */
    private static final int MAX_IDENTIFIER = 63;

    private static final byte SPACE = 1;
    private static final byte LETTER = 2;
    private static final byte DIGIT = 4;
    private static final byte OP = 8;
    private static final byte DOLLAR = 16;
    private static final byte SELF = 32;
    private static final byte[] CLASS = new byte[256];

    static {
        for (char c : " \t\n\r\f\u000b".toCharArray()) {
            CLASS[c] = SPACE;
        }
        for (int c = 0; c < 256; c++) {
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80) {
                CLASS[c] = LETTER;
            }
        }
        for (char c = '0'; c <= '9'; c++) {
            CLASS[c] = DIGIT;
        }
        for (char c : "~!@#^&|`?+-*/%<>=".toCharArray()) {
            CLASS[c] = OP;
        }
        for (char c : ",()[].;:".toCharArray()) {
            CLASS[c] = SELF;
        }
        CLASS['$'] = DOLLAR;
    }

    private byte[] sql = new byte[0];
    private int limit;
    private int position;
    private int start;
    private int end;
    /** The position of the name in the first {@link Hint}; -1 if none has been read. */
    private int hint;

    void reset(byte[] sql, int from, int limit) {
        this.sql = sql;
        this.position = from;
        this.limit = limit;
        hint = -1;
    }

    /** Returns the position of the name in the first {@link Hint} that has been read; -1 if there is none. */
    int hint() {
        return hint;
    }

    byte[] bytes() {
        return sql;
    }

    /** Returns the start of the token just read. For a quoted identifier or an operator, only the part that matters. */
    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** Returns the position at which the search for the next token begins. */
    int position() {
        return position;
    }

    /** Whether nothing follows the token just read. */
    boolean isAtEnd() {
        return position == limit;
    }

    /** Goes back to an earlier {@link #position}. */
    void position(int position) {
        this.position = position;
    }

    /** Returns the punctuation character, or the first byte, of the token just read. */
    int first() {
        return sql[start];
    }

    boolean isPunctuation(int kind, char c) {
        return kind == PUNCTUATION && sql[start] == c;
    }

    private int at(int index) {
        return index < limit ? sql[index] & 0xff : 0;
    }

    private int classAt(int index) {
        return index < limit ? CLASS[sql[index] & 0xff] : 0;
    }

    int next() {
        // Between most tokens there is one space or nothing.
        if (position < limit && sql[position] == ' ') {
            position++;
        }
        if (position < limit && (CLASS[sql[position] & 0xff] & (LETTER | DIGIT | SELF)) == 0 && !skipSpace()) {
            return error();
        }
        start = position;
        if (position >= limit) {
            end = position;
            return EOF;
        }
        int c = sql[position] & 0xff;
        return switch (CLASS[c]) {
            case LETTER -> {
                if (position + 1 < limit) {
                    int following = sql[position + 1];
                    if (following == '\'') {
                        yield prefixedString(c | 0x20);
                    }
                    if (following == '&' && (c | 0x20) == 'u') {
                        int quote = at(position + 2);
                        if (quote == '"') {
                            yield error();
                        }
                        if (quote == '\'') {
                            position += 2;
                            yield string(false, STRING);
                        }
                    }
                }
                yield word();
            }
            case DIGIT -> number();
            case OP -> operator();
            case DOLLAR -> dollar();
            case SELF -> self(c);
            default -> {
                if (c == '\'') {
                    yield string(false, STRING);
                }
                yield c == '"' ? quoted() : error();
            }
        };
    }

    private int error() {
        position = limit;
        end = limit;
        return ERROR;
    }

    /** Skips white space and comments. Returns false if a comment does not end. */
    private boolean skipSpace() {
        while (position < limit) {
            int c = sql[position];
            if (c >= 0 && CLASS[c] == SPACE) {
                position++;
            } else if (c == '-' && at(position + 1) == '-') {
                skipLine();
            } else if (c == '/' && at(position + 1) == '*') {
                int from = position;
                if (!skipComment()) {
                    return false;
                }
                if (hint < 0) {
                    hint = Hint.nameIn(sql, from, position);
                }
            } else {
                return true;
            }
        }
        return true;
    }

    private void skipLine() {
        while (position < limit && sql[position] != '\n' && sql[position] != '\r') {
            position++;
        }
    }

    private boolean skipComment() {
        int depth = 0;
        while (position < limit) {
            int c = sql[position];
            if (c == '/' && at(position + 1) == '*') {
                depth++;
                position += 2;
            } else if (c == '*' && at(position + 1) == '/') {
                position += 2;
                if (--depth == 0) {
                    return true;
                }
            } else {
                position++;
            }
        }
        return false;
    }

    private int word() {
        int i = position + 1;
        while (i < limit && (CLASS[sql[i] & 0xff] & (LETTER | DIGIT | DOLLAR)) != 0) {
            i++;
        }
        position = i;
        end = i;
        return i - start > MAX_IDENTIFIER ? error() : WORD;
    }

    private int quoted() {
        int i = position + 1;
        start = i;
        int doubled = 0;
        while (i < limit) {
            if (sql[i] == 0) {
                return error();
            }
            if (sql[i] == '"') {
                if (at(i + 1) != '"') {
                    break;
                }
                doubled++;
                i++;
            }
            i++;
        }
        if (i >= limit || i == start || i - start - doubled > MAX_IDENTIFIER) {
            return error();
        }
        end = i;
        position = i + 1;
        return QUOTED;
    }

    private int prefixedString(int prefix) {
        return switch (prefix) {
            case 'e' -> {
                position++;
                yield string(true, STRING);
            }
            case 'n' -> {
                position++;
                yield string(false, STRING);
            }
            case 'b', 'x' -> {
                position++;
                yield string(false, BITS);
            }
            default -> word();
        };
    }

    /** Reads a string from its opening quote to its end, including continuation lines. */
    private int string(boolean escapes, int kind) {
        int i = position + 1;
        int backslashes = 0;
        while (true) {
            if (i >= limit || sql[i] == 0) {
                return error();
            }
            int c = sql[i++];
            if (c == '\\') {
                backslashes++;
                continue;
            }
            if (c == '\'') {
                boolean escaped = (backslashes & 1) != 0;
                if (escaped && !escapes) {
                    return error();
                }
                if (escaped) {
                    backslashes = 0;
                    continue;
                }
                if (at(i) == '\'') {
                    i++;
                    backslashes = 0;
                    continue;
                }
                int continued = continuation(i);
                if (continued < 0) {
                    position = i;
                    end = i;
                    return kind;
                }
                i = continued;
            }
            backslashes = 0;
        }
    }

    /**
     * Returns the position behind the quote that continues a string whose closing quote lies before {@code i}; -1 if the string
     * does not continue.
     */
    private int continuation(int i) {
        boolean newline = false;
        while (i < limit) {
            int c = sql[i];
            if (c == '\n' || c == '\r') {
                newline = true;
                i++;
            } else if (c >= 0 && CLASS[c] == SPACE) {
                i++;
            } else if (c == '-' && at(i + 1) == '-') {
                while (i < limit && sql[i] != '\n' && sql[i] != '\r') {
                    i++;
                }
            } else {
                return newline && c == '\'' ? i + 1 : -1;
            }
        }
        return -1;
    }

    private int dollar() {
        int i = position + 1;
        if (classAt(i) == DIGIT) {
            while (classAt(i) == DIGIT) {
                i++;
            }
            position = i;
            end = i;
            return classAt(i) == LETTER ? error() : PARAMETER;
        }
        if (classAt(i) == LETTER) {
            while ((classAt(i) & (LETTER | DIGIT)) != 0) {
                i++;
            }
        }
        if (at(i) != '$') {
            return error();
        }
        int tag = i + 1 - position;
        for (int j = i + 1; j + tag <= limit; j++) {
            if (sql[j] == '$' && matchesTag(j, tag)) {
                position = j + tag;
                end = position;
                return STRING;
            }
            if (sql[j] == 0) {
                break;
            }
        }
        return error();
    }

    private boolean matchesTag(int at, int tag) {
        for (int k = 1; k < tag; k++) {
            if (sql[at + k] != sql[position + k]) {
                return false;
            }
        }
        return true;
    }

    private int self(int c) {
        if (c == '.' && classAt(position + 1) == DIGIT) {
            return number();
        }
        int following = at(position + 1);
        if ((c == ':' && (following == ':' || following == '=')) || (c == '.' && following == '.')) {
            position += 2;
            end = position;
            return OPERATOR;
        }
        position++;
        end = position;
        return PUNCTUATION;
    }

    private int operator() {
        int i = position + 1;
        boolean mayEndInSign = mayEndInSign(sql[position]);
        while (classAt(i) == OP) {
            int c = sql[i];
            if ((c == '*' && sql[i - 1] == '/') || (c == '-' && sql[i - 1] == '-')) {
                i--;
                break;
            }
            mayEndInSign |= mayEndInSign(c);
            i++;
        }
        if (!mayEndInSign) {
            while (i - position > 1 && (sql[i - 1] == '+' || sql[i - 1] == '-')) {
                i--;
            }
        }
        position = i;
        end = i;
        return OPERATOR;
    }

    private static boolean mayEndInSign(int c) {
        return switch (c) {
            case '~', '!', '@', '#', '^', '&', '|', '`', '?', '%' -> true;
            default -> false;
        };
    }

    private int number() {
        int behindDigits = position;
        while (behindDigits < limit && CLASS[sql[behindDigits] & 0xff] == DIGIT) {
            behindDigits++;
        }
        if (behindDigits > position
                && (behindDigits == limit || (CLASS[sql[behindDigits] & 0xff] != LETTER && sql[behindDigits] != '.'))) {
            position = behindDigits;
            end = behindDigits;
            return INTEGER;
        }
        int found = Numbers.end(sql, position, limit);
        int behind = found < 0 ? ~found : found;
        if (found == Numbers.NONE || classAt(behind) == LETTER) {
            return error();
        }
        position = behind;
        end = behind;
        return found < 0 ? DECIMAL : INTEGER;
    }
}
