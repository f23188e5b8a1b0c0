package io.multimed.sql;

import org.jspecify.annotations.Nullable;

/**
 * Parser for transaction and session control without the settings, which are for {@link SettingStatements} (PostgreSQL manual, part VI; gram.y). A statement that does not follow the grammar to
 * its last token counts as not understood. One instance parses one statement.
 */
final class ControlStatements {
    private final TokenCursor cursor;
    private final SettingStatements settings;

    private ControlStatements(byte[] sql, Tokens tokens) {
        this.cursor = new TokenCursor(tokens);
        this.settings = new SettingStatements(sql, cursor);
    }

    /** Parses the statement between two positions. Its first word is {@code verb}. */
    static Statement parse(Verb verb, byte[] sql, int from, int to) {
        Tokens tokens = Tokens.complete(sql, from, to);
        ControlStatements parser = new ControlStatements(sql, tokens);
        Statement statement = tokens.erroneous() || tokens.get(0).kind() != Lexer.WORD ? null : parser.statement(verb);
        return statement == null || !parser.cursor.isAtEnd()
                ? new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood")
                : statement;
    }

    private @Nullable Statement statement(Verb verb) {
        cursor.position(1);
        return switch (verb) {
            case BEGIN -> {
                workOrTransaction();
                yield begin("BEGIN");
            }
            case START -> cursor.accept("transaction") ? begin("START TRANSACTION") : null;
            case COMMIT, END -> {
                if (verb == Verb.COMMIT && cursor.accept("prepared")) {
                    yield preparedTransaction("COMMIT PREPARED");
                }
                workOrTransaction();
                yield new Statement.Commit(chain());
            }
            case ROLLBACK, ABORT -> rollback(verb);
            case SAVEPOINT -> named(Statement.Savepoint::new);
            case RELEASE -> {
                cursor.accept("savepoint");
                yield named(Statement.Release::new);
            }
            case PREPARE -> prepare();
            case EXECUTE -> execute();
            case DEALLOCATE -> {
                if (!cursor.peek(1).equals(Token.END)) {
                    cursor.accept("prepare");
                }
                yield cursor.accept("all") ? new Statement.Deallocate(null) : named(Statement.Deallocate::new);
            }
            case SET -> settings.set();
            case RESET -> settings.reset();
            case SHOW -> settings.show();
            case DISCARD -> discard();
            case LISTEN -> named(Statement.Listen::new);
            case UNLISTEN -> {
                if (cursor.peek().text().equals("*")) {
                    cursor.skip(1);
                    yield new Statement.Unlisten(null);
                }
                yield named(Statement.Unlisten::new);
            }
            case FETCH, MOVE -> {
                // The name of the cursor comes last.
                cursor.skipToEnd(1);
                yield cursor.position() > 0 ? named(Statement.Fetch::new) : null;
            }
            case CLOSE -> cursor.accept("all") ? new Statement.CloseCursor(null) : named(Statement.CloseCursor::new);
            default -> null;
        };
    }

    private void workOrTransaction() {
        if (!cursor.accept("work")) {
            cursor.accept("transaction");
        }
    }

    private interface OfName {
        Statement statement(String name);
    }

    private @Nullable Statement named(OfName make) {
        Token token = cursor.peek();
        if (!token.isIdentifier()) {
            return null;
        }
        cursor.skip(1);
        return make.statement(token.text());
    }

    private Statement preparedTransaction(String what) {
        cursor.skipToEnd(0);
        return new Statement.Update(NotRead.MAY_WRITE, SessionEffect.NONE, what);
    }

    private boolean chain() {
        if (cursor.accept("and", "chain")) {
            return true;
        }
        if (cursor.peek().is("and") && cursor.peek(1).is("no") && cursor.peek(2).is("chain")) {
            cursor.skip(3);
        }
        return false;
    }

    private @Nullable Statement rollback(Verb verb) {
        if (verb == Verb.ROLLBACK && cursor.accept("prepared")) {
            return preparedTransaction("ROLLBACK PREPARED");
        }
        workOrTransaction();
        if (verb == Verb.ROLLBACK && cursor.accept("to")) {
            cursor.accept("savepoint");
            return named(Statement.RollbackTo::new);
        }
        return new Statement.Rollback(chain());
    }

    private Statement begin(String tag) {
        TransactionModes modes = TransactionModes.read(cursor);
        return new Statement.Begin(tag, modes.isolation(), modes.readOnly(), modes.deferrable());
    }

    private @Nullable Statement prepare() {
        if (cursor.peek().is("transaction") && cursor.peek(1).kind() == Lexer.STRING) {
            cursor.skip(2);
            return new Statement.PrepareTransaction();
        }
        Statement statement = named(Statement.Prepare::new);
        cursor.acceptParentheses();
        if (!cursor.accept("as")) {
            return null;
        }
        cursor.skipToEnd(0);
        return statement;
    }

    private @Nullable Statement execute() {
        Statement statement = named(Statement.ExecutePrepared::new);
        cursor.acceptParentheses();
        return statement;
    }

    private @Nullable Statement discard() {
        Token what = cursor.take();
        if (what.kind() != Lexer.WORD) {
            return null;
        }
        return switch (what.text()) {
            case "all" -> new Statement.Discard(Statement.Discard.What.ALL);
            case "plans" -> new Statement.Discard(Statement.Discard.What.PLANS);
            case "sequences" -> new Statement.Discard(Statement.Discard.What.SEQUENCES);
            case "temp", "temporary" -> new Statement.Discard(Statement.Discard.What.TEMP);
            default -> null;
        };
    }
}
