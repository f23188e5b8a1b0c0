package io.multimed.sql;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parser for transaction and session control (PostgreSQL manual, part VI; gram.y). A statement that does not follow the grammar to
 * its last token counts as not understood. One instance parses one statement.
 */
final class ControlStatements {
    private final byte[] sql;
    private final Tokens tokens;
    private int next;

    private ControlStatements(byte[] sql, Tokens tokens) {
        this.sql = sql;
        this.tokens = tokens;
    }

    /** Parses the statement between two positions. Its first word is {@code verb}. */
    static Statement parse(Verb verb, byte[] sql, int from, int to) {
        Tokens tokens = Tokens.complete(sql, from, to);
        ControlStatements parser = new ControlStatements(sql, tokens);
        Statement statement = tokens.erroneous() || tokens.get(0).kind() != Lexer.WORD ? null : parser.statement(verb);
        return statement == null || parser.next < tokens.size()
                ? new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood")
                : statement;
    }

    private @Nullable Statement statement(Verb verb) {
        next = 1;
        switch (verb) {
            case BEGIN:
                workOrTransaction();
                return begin("BEGIN");
            case START:
                return accept("transaction") ? begin("START TRANSACTION") : null;
            case COMMIT, END:
                if (verb == Verb.COMMIT && accept("prepared")) {
                    return preparedTransaction("COMMIT PREPARED");
                }
                workOrTransaction();
                return new Statement.Commit(chain());
            case ROLLBACK, ABORT:
                return rollback(verb);
            case SAVEPOINT:
                return named(Statement.Savepoint::new);
            case RELEASE:
                accept("savepoint");
                return named(Statement.Release::new);
            case PREPARE:
                return prepare();
            case EXECUTE:
                return execute();
            case DEALLOCATE:
                if (!tokens.get(next + 1).equals(Token.END)) {
                    accept("prepare");
                }
                return accept("all") ? new Statement.Deallocate(null) : named(Statement.Deallocate::new);
            case SET:
                return set();
            case RESET:
                return accept("all") ? new Statement.Reset(null) : setting(Statement.Reset::new);
            case SHOW:
                return accept("all") ? new Statement.Show("all") : setting(Statement.Show::new);
            case DISCARD:
                return discard();
            case LISTEN:
                return named(Statement.Listen::new);
            case UNLISTEN:
                if (tokens.get(next).text().equals("*")) {
                    next++;
                    return new Statement.Unlisten(null);
                }
                return named(Statement.Unlisten::new);
            case FETCH, MOVE:
                next = tokens.size() - 1;
                return next > 0 ? named(Statement.Fetch::new) : null;
            case CLOSE:
                return accept("all") ? new Statement.CloseCursor(null) : named(Statement.CloseCursor::new);
            default:
                return null;
        }
    }

    private boolean accept(String word) {
        if (tokens.get(next).is(word)) {
            next++;
            return true;
        }
        return false;
    }

    private boolean accept(String first, String second) {
        if (tokens.get(next).is(first) && tokens.get(next + 1).is(second)) {
            next += 2;
            return true;
        }
        return false;
    }

    private void workOrTransaction() {
        if (!accept("work")) {
            accept("transaction");
        }
    }

    private interface OfName {
        Statement statement(String name);
    }

    private @Nullable Statement named(OfName make) {
        Token token = tokens.get(next);
        if (!token.isIdentifier()) {
            return null;
        }
        next++;
        return make.statement(token.text());
    }

    private Statement preparedTransaction(String what) {
        next = tokens.size();
        return new Statement.Update(NotRead.MAY_WRITE, SessionEffect.NONE, what);
    }

    private boolean chain() {
        if (accept("and", "chain")) {
            return true;
        }
        if (tokens.get(next).is("and")
                && tokens.get(next + 1).is("no")
                && tokens.get(next + 2).is("chain")) {
            next += 3;
        }
        return false;
    }

    private @Nullable Statement rollback(Verb verb) {
        if (verb == Verb.ROLLBACK && accept("prepared")) {
            return preparedTransaction("ROLLBACK PREPARED");
        }
        workOrTransaction();
        if (verb == Verb.ROLLBACK && accept("to")) {
            accept("savepoint");
            return named(Statement.RollbackTo::new);
        }
        return new Statement.Rollback(chain());
    }

    private Statement begin(String tag) {
        Modes modes = modes();
        return new Statement.Begin(tag, modes.isolation, modes.readOnly, modes.deferrable);
    }

    private @Nullable Statement prepare() {
        if (tokens.get(next).is("transaction") && tokens.get(next + 1).kind() == Lexer.STRING) {
            next += 2;
            return new Statement.PrepareTransaction();
        }
        Statement statement = named(Statement.Prepare::new);
        if (tokens.get(next).is('(')) {
            next = tokens.closing(next) + 1;
        }
        if (!accept("as")) {
            return null;
        }
        next = tokens.size();
        return statement;
    }

    private @Nullable Statement execute() {
        Statement statement = named(Statement.ExecutePrepared::new);
        if (tokens.get(next).is('(')) {
            next = tokens.closing(next) + 1;
        }
        return statement;
    }

    private @Nullable Statement discard() {
        Token what = tokens.get(next++);
        if (what.kind() != Lexer.WORD) {
            return null;
        }
        switch (what.text()) {
            case "all":
                return new Statement.Discard(Statement.Discard.What.ALL);
            case "plans":
                return new Statement.Discard(Statement.Discard.What.PLANS);
            case "sequences":
                return new Statement.Discard(Statement.Discard.What.SEQUENCES);
            case "temp", "temporary":
                return new Statement.Discard(Statement.Discard.What.TEMP);
            default:
                return null;
        }
    }

    private @Nullable Statement set() {
        if (accept("constraints")) {
            next = tokens.size();
            return new Statement.Update(NotRead.MAY_WRITE, SessionEffect.OPAQUE, "SET CONSTRAINTS");
        }
        if (accept("session", "characteristics")) {
            if (!accept("as", "transaction")) {
                return null;
            }
            Modes modes = modes();
            return new Statement.SetSessionCharacteristics(modes.isolation, modes.readOnly, modes.deferrable);
        }
        boolean local = accept("local");
        if (!local && !tokens.get(next + 1).is("authorization")) {
            accept("session");
        }
        if (accept("transaction", "snapshot")) {
            return tokens.get(next++).kind() == Lexer.STRING
                    ? new Statement.SetTransaction(Optional.empty(), Optional.empty(), Optional.empty(), true)
                    : null;
        }
        if (accept("transaction")) {
            Modes modes = modes();
            return new Statement.SetTransaction(modes.isolation, modes.readOnly, modes.deferrable, false);
        }
        String name = specialSetting();
        if (name == null) {
            name = settingName();
            if (name == null || !(accept("to") || acceptEquals())) {
                return null;
            }
        }
        return set(name, local);
    }

    private @Nullable Statement set(String name, boolean local) {
        int first = next;
        next = tokens.size();
        if (first == next) {
            // SET NAMES without a value means SET NAMES DEFAULT.
            return name.equals("client_encoding") ? new Statement.Set(name, null, null, local) : null;
        }
        Token only = first == next - 1 ? tokens.get(first) : Token.END;
        if (only.is("default") || name.equals("timezone") && only.is("local")) {
            return new Statement.Set(name, null, null, local);
        }
        int start = tokens.get(first).start();
        int end = tokens.get(next - 1).end();
        if (tokens.get(first).kind() == Lexer.QUOTED) {
            start--;
        }
        if (tokens.get(next - 1).kind() == Lexer.QUOTED) {
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
            if (part == null || adjacent && tokens.get(i - 1).kind() != Lexer.OPERATOR) {
                return written;
            }
            value.append(part);
        }
        return value.toString();
    }

    private boolean acceptEquals() {
        if (tokens.get(next).kind() == Lexer.OPERATOR && tokens.get(next).text().equals("=")) {
            next++;
            return true;
        }
        return false;
    }

    /** Reads the name of a setting that has a syntax of its own. Returns null and reads nothing if there is none here. */
    private @Nullable String specialSetting() {
        if (accept("time", "zone")) {
            return "timezone";
        }
        if (accept("session", "authorization")) {
            return "session_authorization";
        }
        if (accept("xml", "option")) {
            return "xmloption";
        }
        Token following = tokens.get(next + 1);
        if (following.is("to") || following.is('.') || following.text().equals("=")) {
            return null;
        }
        if (accept("names")) {
            return "client_encoding";
        }
        if (accept("schema")) {
            return "search_path";
        }
        return accept("role") ? "role" : null;
    }

    private @Nullable Statement setting(OfName make) {
        String name;
        if (accept("transaction", "isolation")) {
            name = accept("level") ? "transaction_isolation" : null;
        } else {
            name = specialSetting();
            if (name == null) {
                name = settingName();
            }
        }
        return name == null ? null : make.statement(name);
    }

    private @Nullable String settingName() {
        StringBuilder name = new StringBuilder();
        while (tokens.get(next).isIdentifier()) {
            name.append(tokens.get(next++).text());
            if (!tokens.get(next).is('.')) {
                return asciiLowerCase(name);
            }
            name.append('.');
            next++;
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

    /** Transaction modes. If a mode is given twice, the last one counts. */
    private static final class Modes {
        private Optional<Isolation> isolation = Optional.empty();
        private Optional<Boolean> readOnly = Optional.empty();
        private Optional<Boolean> deferrable = Optional.empty();
    }

    private Modes modes() {
        Modes modes = new Modes();
        while (mode(modes)) {
            if (tokens.get(next).is(',') && next + 1 < tokens.size()) {
                next++;
            }
        }
        return modes;
    }

    private boolean mode(Modes modes) {
        int before = next;
        if (accept("isolation", "level")) {
            Isolation level = isolationLevel();
            if (level == null) {
                next = before;
                return false;
            }
            modes.isolation = Optional.of(level);
        } else if (accept("read", "only")) {
            modes.readOnly = Optional.of(true);
        } else if (accept("read", "write")) {
            modes.readOnly = Optional.of(false);
        } else if (accept("not", "deferrable")) {
            modes.deferrable = Optional.of(false);
        } else if (accept("deferrable")) {
            modes.deferrable = Optional.of(true);
        } else {
            return false;
        }
        return true;
    }

    private @Nullable Isolation isolationLevel() {
        if (accept("read", "committed")) {
            return Isolation.READ_COMMITTED;
        }
        if (accept("read", "uncommitted")) {
            return Isolation.READ_UNCOMMITTED;
        }
        if (accept("repeatable", "read")) {
            return Isolation.REPEATABLE_READ;
        }
        return accept("serializable") ? Isolation.SERIALIZABLE : null;
    }
}
