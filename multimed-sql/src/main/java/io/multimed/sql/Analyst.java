package io.multimed.sql;

import java.util.Locale;
import java.util.function.Predicate;

/** Makes a {@link Statement} from the tokens of any statement except a control statement. Has no state. */
final class Analyst {
    private Analyst() {}

    /**
     * Returns the statement that the tokens stand for.
     *
     * @param verb the statement's first word
     * @param isQuery the parser's opinion; asked only if {@link Verb#needsParser}
     */
    static Statement analyse(Verb verb, Tokens tokens, Names names, Predicate<Tokens> isQuery) {
        return switch (verb.kind()) {
            case QUERY -> query(tokens, names, isQuery);
            case COPY -> copy(tokens, names, isQuery);
            case DECLARE -> declare(tokens, names, isQuery);
            case EXPLAIN -> explain(tokens, names);
            case WRITE -> write(verb, tokens, names);
            case HARMLESS_TO_SESSION -> update(verb, SessionEffect.NONE);
            case HIDDEN -> update(verb, SessionEffect.HIDDEN);
            case UNKNOWN_CODE -> {
                if (verb == Verb.CREATE && tokens.get(1).is("tablespace")) {
                    yield new Statement.CreateTablespace();
                }
                if (isOfDatabases(verb) && tokens.get(1).is("database")) {
                    yield DatabaseCommands.parse(verb, tokens);
                }
                SessionEffect effect = defines(verb) ? SessionEffect.DEFINITION : SessionEffect.OPAQUE;
                yield update(verb, effect.and(temporary(verb, tokens)));
            }
            default -> notUnderstood();
        };
    }

    private static boolean isOfDatabases(Verb verb) {
        return verb == Verb.CREATE || verb == Verb.ALTER || verb == Verb.DROP;
    }

    private static boolean defines(Verb verb) {
        return isOfDatabases(verb) || verb == Verb.IMPORT;
    }

    private static Statement.Update update(Verb verb, SessionEffect effect) {
        return new Statement.Update(NotRead.MAY_WRITE, effect, verb.name());
    }

    private static Statement.Update notUnderstood() {
        return new Statement.Update(NotRead.UNPARSED, SessionEffect.OPAQUE, "not understood");
    }

    private static Statement query(Tokens tokens, Names names, Predicate<Tokens> isQuery) {
        Verdict verdict = new Judge(names, Judge.mayChangeData(tokens)).judge(tokens);
        NotRead reason = verdict.reason();
        if (reason != null) {
            return new Statement.Update(
                    reason,
                    verdict.effect().and(selectInto(tokens)),
                    verdict.because(),
                    verdict.asksSequence(),
                    verdict.asksChannels(),
                    verdict.processes());
        }
        if (!isQuery.test(tokens)) {
            // The judge has found every name in it harmless, so it leaves nothing behind in the session.
            return new Statement.Update(NotRead.UNPARSED, SessionEffect.NONE, "not parsed as a query");
        }
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isIdentifier() && !names.standsForQueries(token.text(), isQuery)) {
                return new Statement.Update(
                        NotRead.UNPARSED,
                        SessionEffect.NONE,
                        "what " + token.text() + " stands for was not parsed as a query");
            }
        }
        return new Statement.Read(
                verdict.momentary(), verdict.holders(), new ReadMarks(names.rulesTouchedBy(tokens), "", 0, "", 0));
    }

    /**
     * Returns the effect of SELECT INTO, which makes a table. The table is temporary if the statement says so or if search_path
     * leads to a temporary schema.
     */
    private static SessionEffect selectInto(Tokens tokens) {
        SessionEffect effect = SessionEffect.NONE;
        for (int i = tokens.find("into", 0); i >= 0; i = tokens.find("into", i + 1)) {
            Token before = tokens.get(i - 1);
            if (!before.is("insert") && !before.is("merge")) {
                effect = effect.and(SessionEffect.DEFINITION);
                for (int j = i + 1; j <= i + 2; j++) {
                    if (isTemporary(tokens.get(j))) {
                        effect = SessionEffect.PRIVATE;
                    }
                }
            }
        }
        return effect;
    }

    private static boolean isTemporary(Token token) {
        return token.is("temp")
                || token.is("temporary")
                || (token.isIdentifier() && token.text().equals("pg_temp"));
    }

    /** Returns the effect of CREATE [OR REPLACE] [LOCAL] TEMP, or of anything created in pg_temp. */
    private static SessionEffect temporary(Verb verb, Tokens tokens) {
        for (int i = 1; verb == Verb.CREATE && i < Math.min(tokens.size(), 16); i++) {
            if (isTemporary(tokens.get(i))) {
                return SessionEffect.PRIVATE;
            }
        }
        return SessionEffect.NONE;
    }

    private static Statement.Update write(Verb verb, Tokens tokens, Names names) {
        Verdict verdict = new Judge(names, true).judge(tokens);
        boolean nothingElse =
                verdict.effect() == SessionEffect.NONE || verdict.because().isEmpty();
        return new Statement.Update(
                nothingElse && verb.kind() == Verb.Kind.WRITE ? NotRead.WRITES : NotRead.MAY_WRITE,
                verdict.effect(),
                nothingElse ? verb.name() : verdict.because(),
                verdict.asksSequence(),
                verdict.asksChannels(),
                verdict.processes());
    }

    /** Classifies COPY. COPY (query) TO STDOUT and COPY table TO STDOUT count as the query; COPY … FROM writes. */
    private static Statement copy(Tokens tokens, Names names, Predicate<Tokens> isQuery) {
        boolean ofQuery = tokens.get(1).is('(');
        int direction = 1;
        while (direction < tokens.size()
                && !tokens.get(direction).is("to")
                && !tokens.get(direction).is("from")) {
            direction = tokens.get(direction).is('(') ? tokens.closing(direction) + 1 : direction + 1;
        }
        if (direction >= tokens.size()) {
            return notUnderstood();
        }
        Tokens what = ofQuery ? tokens.sub(2, direction - 1) : tokens.sub(1, direction);
        if (tokens.get(direction).is("from")) {
            int where = tokens.find("where", direction);
            Tokens condition = tokens.sub(where < 0 ? tokens.size() : where, tokens.size());
            Statement.Update from =
                    write(Verb.COPY, Tokens.of("insert into").then(what).then(condition), names);
            return tokens.get(direction + 1).is("stdin") ? from.copyingIn() : from;
        }
        if (!tokens.get(direction + 1).is("stdout")) {
            return write(Verb.COPY, what, names);
        }
        return query(ofQuery ? what : selectOf(what), names, isQuery);
    }

    private static Tokens selectOf(Tokens relation) {
        int columns = 0;
        while (columns < relation.size() && !relation.get(columns).is('(')) {
            columns++;
        }
        return columns == relation.size()
                ? Tokens.of("select * from").then(relation)
                : Tokens.of("select")
                        .then(relation.sub(columns + 1, relation.size() - 1))
                        .then(Tokens.of("from"))
                        .then(relation.sub(0, columns));
    }

    private static Statement declare(Tokens tokens, Names names, Predicate<Tokens> isQuery) {
        int query = tokens.find("for", 0);
        if (!tokens.get(1).isIdentifier() || query < 0 || query + 1 >= tokens.size()) {
            return notUnderstood();
        }
        boolean hold = false;
        for (int i = 2; i < query; i++) {
            hold |= tokens.get(i).is("hold") && tokens.get(i - 1).is("with");
        }
        Statement body = query(tokens.sub(query + 1, tokens.size()), names, isQuery);
        return new Statement.DeclareCursor(tokens.get(1).text(), hold, body);
    }

    /**
     * Classifies EXPLAIN. A plan depends on a node's statistics and settings, so it always comes from the Master and does not vary
     * from call to call.
     */
    private static Statement explain(Tokens tokens, Names names) {
        int inner = tokens.get(1).is('(') ? tokens.closing(1) + 1 : 1;
        if (isOption("multimed", tokens, inner)) {
            return new Statement.ExplainPlacement(inner == 4);
        }
        while (tokens.get(inner).is("analyze")
                || tokens.get(inner).is("analyse")
                || tokens.get(inner).is("verbose")) {
            inner++;
        }
        int word = inner;
        while (tokens.get(word).is('(')) {
            word++;
        }
        if (tokens.get(word).kind() != Lexer.WORD) {
            return notUnderstood();
        }
        Verb verb = verb(tokens.get(word).text());
        if (verb.kind() != Verb.Kind.QUERY && verb.kind() != Verb.Kind.WRITE) {
            return update(Verb.EXPLAIN, SessionEffect.OPAQUE.and(temporary(verb, tokens)));
        }
        Tokens explained = tokens.sub(inner, tokens.size());
        Verdict verdict = new Judge(names, Judge.mayChangeData(explained)).judge(explained);
        NotRead reason = verdict.reason();
        return new Statement.Update(
                reason == null ? NotRead.MASTER_ONLY : reason,
                verdict.effect().and(selectInto(explained)),
                "EXPLAIN",
                verdict.asksSequence(),
                verdict.asksChannels(),
                verdict.processes());
    }

    /** Whether one of the options of EXPLAIN, which end before an index, has this name. */
    private static boolean isOption(String name, Tokens tokens, int end) {
        for (int i = 2; i < end; i++) {
            if (tokens.get(i).is(name)
                    && (tokens.get(i - 1).is('(') || tokens.get(i - 1).is(','))) {
                return true;
            }
        }
        return false;
    }

    private static Verb verb(String word) {
        byte[] bytes = word.toLowerCase(Locale.ROOT).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return Verb.of(bytes, 0, bytes.length);
    }
}
