package io.multimed.sql;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parser for SET, RESET and SHOW behind their first word. A statement that does not follow the grammar is null. */
final class SettingStatements {
    private final byte[] sql;
    private final TokenCursor cursor;

    SettingStatements(byte[] sql, TokenCursor cursor) {
        this.sql = sql;
        this.cursor = cursor;
    }

    @Nullable
    Statement reset() {
        return cursor.accept("all") ? new Statement.Reset(null) : setting(Statement.Reset::new);
    }

    @Nullable
    Statement show() {
        return cursor.accept("all") ? new Statement.Show("all") : setting(Statement.Show::new);
    }

    @Nullable
    Statement set() {
        if (cursor.accept("constraints")) {
            cursor.skipToEnd(0);
            return new Statement.Update(NotRead.MAY_WRITE, SessionEffect.OPAQUE, "SET CONSTRAINTS");
        }
        if (cursor.accept("session", "characteristics")) {
            if (!cursor.accept("as", "transaction")) {
                return null;
            }
            TransactionModes modes = TransactionModes.read(cursor);
            return new Statement.SetSessionCharacteristics(modes.isolation(), modes.readOnly(), modes.deferrable());
        }
        boolean local = cursor.accept("local");
        if (!local && !cursor.peek(1).is("authorization")) {
            cursor.accept("session");
        }
        if (cursor.accept("transaction", "snapshot")) {
            return cursor.take().kind() == Lexer.STRING
                    ? new Statement.SetTransaction(Optional.empty(), Optional.empty(), Optional.empty(), true)
                    : null;
        }
        if (cursor.accept("transaction")) {
            TransactionModes modes = TransactionModes.read(cursor);
            return new Statement.SetTransaction(modes.isolation(), modes.readOnly(), modes.deferrable(), false);
        }
        String name = specialSetting();
        if (name == null) {
            name = settingName();
            if (name == null || !(cursor.accept("to") || acceptEquals())) {
                return null;
            }
        }
        return set(name, local);
    }

    private @Nullable Statement set(String name, boolean local) {
        Tokens tokens = cursor.tokens();
        int first = cursor.position();
        cursor.skipToEnd(0);
        if (cursor.position() == first) {
            // SET NAMES without a value means SET NAMES DEFAULT.
            return name.equals("client_encoding") ? new Statement.Set(name, null, null, local) : null;
        }
        Token only = first == tokens.size() - 1 ? tokens.get(first) : Token.END;
        if (only.is("default") || (name.equals("timezone") && only.is("local"))) {
            return new Statement.Set(name, null, null, local);
        }
        int start = tokens.get(first).start();
        int end = tokens.get(tokens.size() - 1).end();
        if (tokens.get(first).kind() == Lexer.QUOTED) {
            start--;
        }
        if (tokens.get(tokens.size() - 1).kind() == Lexer.QUOTED) {
            end++;
        }
        String written = new String(sql, start, end - start, StandardCharsets.UTF_8);
        String value = value(first, written);
        Statement transaction = TransactionSettings.set(name, value);
        return transaction != null ? transaction : new Statement.Set(name, value, written, local);
    }

    /**
     * Returns a list of words, names, numbers and strings in the form in which {@code SHOW} prints it; anything else as it was
     * written.
     */
    private String value(int first, String written) {
        Tokens tokens = cursor.tokens();
        StringBuilder value = new StringBuilder();
        for (int i = first; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            String part;
            if (token.kind() == Lexer.STRING) {
                part = Literals.value(sql, token.start(), token.end());
            } else if (token.isIdentifier()) {
                part = token.text();
            } else if (token.is(',')) {
                part = ", ";
            } else if (token.kind() == Lexer.INTEGER
                    || token.kind() == Lexer.DECIMAL
                    || token.kind() == Lexer.OPERATOR) {
                part = new String(sql, token.start(), token.end() - token.start(), StandardCharsets.UTF_8);
            } else {
                part = null;
            }
            boolean adjacent = i > first && !token.is(',') && !tokens.get(i - 1).is(',');
            if (part == null || (adjacent && tokens.get(i - 1).kind() != Lexer.OPERATOR)) {
                return written;
            }
            value.append(part);
        }
        return value.toString();
    }

    private boolean acceptEquals() {
        if (cursor.peek().kind() == Lexer.OPERATOR && cursor.peek().text().equals("=")) {
            cursor.skip(1);
            return true;
        }
        return false;
    }

    /** Reads the name of a setting that has a syntax of its own. Returns null and reads nothing if there is none here. */
    private @Nullable String specialSetting() {
        if (cursor.accept("time", "zone")) {
            return "timezone";
        }
        if (cursor.accept("session", "authorization")) {
            return "session_authorization";
        }
        if (cursor.accept("xml", "option")) {
            return "xmloption";
        }
        Token following = cursor.peek(1);
        if (following.is("to") || following.is('.') || following.text().equals("=")) {
            return null;
        }
        if (cursor.accept("names")) {
            return "client_encoding";
        }
        if (cursor.accept("schema")) {
            return "search_path";
        }
        return cursor.accept("role") ? "role" : null;
    }

    private @Nullable Statement setting(Function<String, Statement> make) {
        String name;
        if (cursor.accept("transaction", "isolation")) {
            name = cursor.accept("level") ? "transaction_isolation" : null;
        } else {
            name = specialSetting();
            if (name == null) {
                name = settingName();
            }
        }
        return name == null ? null : make.apply(name);
    }

    private @Nullable String settingName() {
        StringBuilder name = new StringBuilder();
        while (cursor.peek().isIdentifier()) {
            name.append(cursor.take().text());
            if (!cursor.peek().is('.')) {
                return asciiLowerCase(name);
            }
            name.append('.');
            cursor.skip(1);
        }
        return null;
    }

    /** Folds letters to lower case: names of settings are compared without regard to case, quoted or not (guc.c). */
    private static String asciiLowerCase(StringBuilder name) {
        for (int i = 0; i < name.length(); i++) {
            name.setCharAt(i, (char) Verb.fold(name.charAt(i)));
        }
        return name.toString();
    }
}
