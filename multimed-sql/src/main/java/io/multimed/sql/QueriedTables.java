package io.multimed.sql;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.parser.TokenMgrException;

/**
 * Finds the tables that a partial Satellite must carry to answer a query.
 *
 * <p>The classification itself is asked: a relation is needed if a Satellite that holds all others could not answer. So a Satellite
 * that carries what is found here gets the query, and one that lacks any of it does not.
 */
public final class QueriedTables {
    private static final long EVERYTHING = 1;

    /** Number of relations that are asked about at once: each is lacking on a node of its own. */
    private static final int AT_ONCE = 61;

    private QueriedTables() {}

    /**
     * The relations that a query reads.
     *
     * @param names of relations, as the catalog has them
     * @param unfit those of them that no partial Satellite can hold
     * @param refusal why no partial Satellite can answer it, in words that follow its text; empty if one can
     */
    public record Found(Set<String> names, Set<String> unfit, Optional<String> refusal) {
        public Found {
            names = Set.copyOf(names);
            unfit = Set.copyOf(unfit);
        }

        /** Whether it reads the relations of a name, views included, in whatever schemas they are. */
        public boolean reads(String relation) {
            return names.contains(DatabaseCatalog.key(relation));
        }

        /** Whether it reads relations of a name that no partial Satellite can hold. */
        public boolean cannotBeHeld(String relation) {
            return unfit.contains(DatabaseCatalog.key(relation));
        }

        private static Found refused(String because) {
            return new Found(Set.of(), Set.of(), Optional.of(because));
        }
    }

    /**
     * Returns why no partial Satellite can answer a query, whatever the database contains; in words that follow its text. Empty if that
     * depends on the database.
     */
    public static Optional<String> refusal(String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        Tokens tokens = Tokens.of(bytes, 0, bytes.length).withoutSemicolon();
        if (tokens.erroneous()) {
            return Optional.of("cannot be read: a quote, a comment or a bracket does not end");
        }
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).is(';')) {
                return Optional.of("must be one statement");
            }
        }
        if (verb(tokens).kind() != Verb.Kind.QUERY) {
            return Optional.of("is not a query");
        }
        Set<String> others = new HashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            String name = tokens.get(i).text();
            if (tokens.get(i).isIdentifier() && BuiltInFunctions.section(name) == null) {
                others.add(name);
            }
        }
        // Functions of the database are not known yet.
        Verdict verdict = new Judge(
                        new Names(DatabaseCatalog.EMPTY, ClassifierOptions.DEFAULT.withSafeFunctions(others)), false)
                .judge(tokens);
        if (!verdict.harmless()) {
            return Optional.of("is not a read that a satellite may execute: " + verdict.because());
        }
        Optional<String> ofCompleteNodes =
                ofCompleteNodes(tokens, new Names(DatabaseCatalog.EMPTY, ClassifierOptions.DEFAULT));
        if (ofCompleteNodes.isPresent()) {
            return ofCompleteNodes;
        }
        return new GeneralParser().isQuery(tokens) ? Optional.empty() : Optional.of("cannot be parsed" + place(sql));
    }

    /** Returns the place where the parser gives up, if it does so with the text as it is. */
    private static String place(String sql) {
        try {
            new CCJSqlParser(new StringProvider(sql)).Statement();
            return "";
        } catch (ParseException e) {
            return e.currentToken == null || e.currentToken.next == null
                    ? ""
                    : " at \"" + e.currentToken.next.image + "\", line " + e.currentToken.next.beginLine + ", column "
                            + e.currentToken.next.beginColumn;
        } catch (TokenMgrException | StackOverflowError e) {
            return "";
        }
    }

    private static Verb verb(Tokens tokens) {
        int first = 0;
        while (tokens.get(first).is('(')) {
            first++;
        }
        byte[] word = tokens.get(first).text().getBytes(StandardCharsets.UTF_8);
        return tokens.get(first).kind() == Lexer.WORD ? Verb.of(word, 0, word.length) : Verb.NONE;
    }

    /**
     * Finds what a query reads.
     *
     * @param sql a query for which {@link #refusal} has returned nothing
     * @param catalog of its database, as if one partial Satellite, with bit 0, carried all tables that can be carried
     */
    public static Found of(String sql, DatabaseCatalog catalog, ClassifierOptions options) {
        Tokens tokens = Tokens.of(sql).withoutSemicolon();
        Verb verb = verb(tokens);
        Map<String, Boolean> parsed = new HashMap<>();
        GeneralParser parser = new GeneralParser();
        Predicate<Tokens> isQuery = text -> parsed.computeIfAbsent(text.text(), known -> parser.isQuery(text));
        List<String> all = new ArrayList<>(new TreeSet<>(catalog.relations()));
        Set<String> needed = new TreeSet<>();
        int from = 0;
        do {
            List<String> some = all.subList(from, Math.min(from + AT_ONCE, all.size()));
            long nodes = (EVERYTHING << (some.size() + 1)) - 1;
            Map<String, Integer> places = new HashMap<>();
            some.forEach(name -> places.put(name, places.size()));
            DatabaseCatalog asked = catalog.heldBy(
                    nodes, name -> places.containsKey(name) ? nodes & ~lacking(places.get(name)) : nodes);
            Names names = new Names(asked, options);
            Statement statement = Analyst.analyse(verb, tokens, names, isQuery);
            if (statement instanceof Statement.Update update) {
                return Found.refused("is not a read that a satellite may execute: " + update.because());
            }
            long holders = ((Statement.Read) statement).holders();
            if ((holders & EVERYTHING) == 0) {
                return Found.refused(becauseNotHeld(tokens, asked, names));
            }
            for (int i = 0; i < some.size(); i++) {
                if ((holders & lacking(i)) == 0) {
                    needed.add(some.get(i));
                }
            }
            from += AT_ONCE;
        } while (from < all.size());
        Set<String> unfit = new TreeSet<>(needed);
        unfit.removeIf(name -> (catalog.holders(name) & EVERYTHING) != 0);
        return new Found(needed, unfit, Optional.empty());
    }

    /** Returns the bit of the node that lacks one relation. */
    private static long lacking(int relation) {
        return EVERYTHING << (relation + 1);
    }

    /** Names what takes the query away even from a Satellite that holds all relations. */
    private static String becauseNotHeld(Tokens query, DatabaseCatalog catalog, Names names) {
        Optional<String> here = ofCompleteNodes(query, names);
        if (here.isPresent()) {
            return here.get();
        }
        if ((names.everywhere().holders() & EVERYTHING) == 0) {
            return "cannot be answered by a partial satellite, nor can any other query of this database: a cast or an operator of"
                    + " its own runs functions that may read tables";
        }
        Set<String> visited = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(identifiers(query));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (!visited.add(name)) {
                continue;
            }
            if (catalog.isNamingType(name) || (names.own(name).holders() & EVERYTHING) == 0) {
                return "depends on " + name + ", whose values a partial satellite may show otherwise than the master";
            }
            DatabaseCatalog.Named named = catalog.named(name);
            open.addAll(named.uses());
            for (String definition : named.definitions()) {
                Tokens behind = Tokens.of(definition).withoutSemicolon();
                Optional<String> inside = ofCompleteNodes(behind, names);
                if (inside.isPresent()) {
                    return "reads " + name + ", which " + inside.get();
                }
                open.addAll(identifiers(behind));
            }
        }
        return "cannot be answered by a partial satellite";
    }

    private static List<String> identifiers(Tokens tokens) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).isIdentifier()) {
                names.add(tokens.get(i).text());
            }
        }
        return names;
    }

    /** Returns the first word by which no partial Satellite has the Master's answer; empty if there is none in the text itself. */
    private static Optional<String> ofCompleteNodes(Tokens tokens, Names names) {
        Judge judge = new Judge(names, false);
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            Verdict verdict = judge.judge(tokens, i);
            if (verdict.harmless() && (verdict.holders() & EVERYTHING) == 0) {
                boolean called = token.isIdentifier() && tokens.get(i + 1).is('(');
                return Optional.of((called ? "calls " : "depends on ") + token.text()
                        + ", which may give another result on a partial satellite than on the master");
            }
            if (token.isIdentifier()
                    && EngineNames.isOfInformationSchema(token.text())
                    && !tokens.get(i - 1).is('.')
                    && RelationPlaces.in(tokens).get(i)) {
                return Optional.of("depends on " + token.text()
                        + ", which may be a view of information_schema: write it with its schema");
            }
        }
        return Optional.empty();
    }
}
