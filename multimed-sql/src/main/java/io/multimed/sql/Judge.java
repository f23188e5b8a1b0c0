package io.multimed.sql;

import java.util.Set;

/**
 * Looks at every token of a statement and joins the verdicts on all of them.
 *
 * <p>The judge needs no understanding of the statement's structure, only of the words that can stand before a parenthesis. So no
 * function call, relation name, write or lock can slip through because a parser read the statement differently.
 */
final class Judge {
    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "merge");
    private static final Set<String> ROW_LOCKS = Set.of("update", "no", "share", "key");
    /** Words that may precede a parenthesis which an alias with columns follows. */
    private static final Set<String> BEFORE_TABLES = Set.of("from", "join", "lateral", "xmltable", "json_table");

    private static final Set<String> MOMENTS = Set.of(
            "current_date",
            "current_time",
            "current_timestamp",
            "localtime",
            "localtimestamp",
            "tablesample",
            // Their jsonpath may compare times of day that have a time zone with times of day that have none.
            "json_exists",
            "json_query",
            "json_table",
            "json_value");

    private final Names names;
    private final boolean writes;

    /**
     * Makes a judge.
     *
     * @param writes whether the statement writes, so that triggers and the like of its tables run
     */
    Judge(Names names, boolean writes) {
        this.names = names;
        this.writes = writes;
    }

    /** Whether the statement contains a word that changes data. The word may also be a column's name. */
    static boolean mayChangeData(Tokens tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.kind() == Lexer.WORD && WRITES.contains(token.text())) {
                return true;
            }
        }
        return false;
    }

    /** Judges a statement, or a query within one. */
    Verdict judge(Tokens tokens) {
        if (!names.known()) {
            return new Verdict(NotRead.UNPARSED, SessionEffect.OPAQUE, "the database's catalog is not read yet")
                    .and(Verdict.asking(ProcessNames.in(tokens)));
        }
        Verdict verdict = names.everywhere();
        for (int i = 0; i < tokens.size(); i++) {
            verdict = verdict.and(judge(tokens, i));
            Token token = tokens.get(i);
            if (token.isIdentifier()) {
                verdict = verdict.and(names.read(token.text()));
            }
        }
        return names.heldBy(verdict, tokens);
    }

    /** Judges a definition that a name stands for. The caller visits the names in it, also for the relations' holders. */
    Verdict judgeDefinition(Tokens tokens) {
        if (tokens.erroneous()) {
            return new Verdict(NotRead.UNPARSED, SessionEffect.OPAQUE, "a definition was not understood");
        }
        Verdict verdict = Verdict.HARMLESS;
        for (int i = 0; i < tokens.size(); i++) {
            verdict = verdict.and(judge(tokens, i));
        }
        return verdict;
    }

    /** Judges one token, apart from the relations and types that it may name. */
    Verdict judge(Tokens tokens, int i) {
        Token token = tokens.get(i);
        return switch (token.kind()) {
            case Lexer.WORD, Lexer.QUOTED -> identifier(tokens, i, token);
            case Lexer.OPERATOR -> names.operator(token.text());
            default -> Verdict.HARMLESS;
        };
    }

    private Verdict identifier(Tokens tokens, int i, Token token) {
        String text = token.text();
        Verdict verdict = Verdict.HARMLESS;
        if (tokens.get(i + 1).is('(')) {
            if (isCall(tokens, i)) {
                verdict = verdict.and(names.call(text));
            }
            // A word of a construct, or an alias, may also be a function's name.
            verdict = verdict.and(names.mention(text));
        } else {
            if (tokens.get(i - 1).is('.')) {
                verdict = verdict.and(names.functionalNotation(text));
            }
            if (SystemRelations.masterOnly(text)) {
                verdict = verdict.and(Verdict.masterOnly("reads " + text));
            }
        }
        verdict = verdict.and(Verdict.asking(ProcessNames.of(text)));
        if (EngineNames.isAt(tokens, i)) {
            verdict = verdict.and(Verdict.ofCompleteNodes("may answer differently: reads " + text));
        }
        if (SystemRelations.momentary(text)) {
            verdict = verdict.and(Verdict.MOMENTARY);
        }
        if (writes) {
            verdict = verdict.and(names.write(text));
        }
        return token.kind() == Lexer.WORD ? verdict.and(word(tokens, i, text)) : verdict;
    }

    private static Verdict word(Tokens tokens, int i, String word) {
        if (WRITES.contains(word)) {
            return Verdict.mayWrite(word.toUpperCase(java.util.Locale.ROOT));
        }
        if (word.equals("into")) {
            return Verdict.mayWrite("INTO");
        }
        if (word.equals("for")) {
            Token next = tokens.get(i + 1);
            if (next.kind() == Lexer.WORD && ROW_LOCKS.contains(next.text())) {
                return Verdict.mayWrite("locks rows");
            }
        }
        return MOMENTS.contains(word) || givesTimesAZone(tokens, i, word) ? Verdict.MOMENTARY : Verdict.HARMLESS;
    }

    /**
     * Whether AT TIME ZONE, AT LOCAL or TIME WITH TIME ZONE stands here. For a time of day, the zone's offset is that of the day
     * on which the transaction began. A timestamp has no such dependence, but the tokens do not show the type of the value.
     */
    private static boolean givesTimesAZone(Tokens tokens, int i, String word) {
        Token next = tokens.get(i + 1);
        if (word.equals("at")) {
            return next.is("time") || next.is("local");
        }
        if (word.equals("time")) {
            return tokens.get(next.is('(') ? tokens.closing(i + 1) + 1 : i + 1).is("with");
        }
        return false;
    }

    /**
     * Whether the name before a parenthesis may be that of a function. It is not where PostgreSQL's grammar (gram.y) allows only
     * something else: a construct of the language, a type, a table or an alias with its columns, or a common table expression.
     */
    private static boolean isCall(Tokens tokens, int i) {
        Token name = tokens.get(i);
        int first = i;
        while (tokens.get(first - 1).is('.') && tokens.get(first - 2).isIdentifier()) {
            first -= 2;
        }
        Token before = tokens.get(first - 1);
        if (before.is("as") || before.is("into")) {
            return false;
        }
        if (first < i) {
            return true;
        }
        if (name.kind() == Lexer.WORD && KeyWords.opensConstruct(name.text())) {
            return false;
        }
        // Only an alias can follow a plain name, a table in parentheses, or a function in FROM.
        if (before.isPlainName() || before.is("ordinality") || before.is("with") || before.is("recursive")) {
            return false;
        }
        if (before.is(')')) {
            return !closesTable(tokens, i - 1);
        }
        return !(before.is(',') && isCommonTableExpression(tokens, i));
    }

    /** Whether the parenthesis closes something in FROM. {@code DISTINCT ON (…)} does not count: an expression follows it. */
    private static boolean closesTable(Tokens tokens, int close) {
        Token before = tokens.get(tokens.opening(close) - 1);
        return before.isPlainName()
                || before.is(',')
                || before.is('(')
                || (before.kind() == Lexer.WORD && BEFORE_TABLES.contains(before.text()));
    }

    /**
     * Whether {@code name (…) AS [NOT MATERIALIZED] (query)} stands here, as opposed to a function with a column definition list.
     */
    private static boolean isCommonTableExpression(Tokens tokens, int name) {
        int i = tokens.closing(name + 1) + 1;
        if (!tokens.get(i++).is("as")) {
            return false;
        }
        if (tokens.get(i).is("not")) {
            i++;
        }
        if (tokens.get(i).is("materialized")) {
            i++;
        }
        if (!tokens.get(i++).is('(')) {
            return false;
        }
        Token query = tokens.get(i);
        return query.is("select")
                || query.is("with")
                || query.is("table")
                || query.is('(')
                || (query.is("values") && tokens.get(i + 1).is('('));
    }
}
