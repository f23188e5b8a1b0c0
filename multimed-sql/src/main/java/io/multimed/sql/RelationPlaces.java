package io.multimed.sql;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Set;

/**
 * Finds the places of a query where PostgreSQL's grammar (gram.y) allows the name of a relation or of a type. A name in any other
 * place stands for a column, an alias or a function. In case of doubt a place counts.
 *
 * <p>It reads the tokens once, in order. Brackets are all that it understands of structure: of each it notes what stands before it,
 * and whether a FROM clause is open in it.
 */
final class RelationPlaces {
    /** Words behind which a relation stands. FROM is another one. */
    private static final Set<String> BEFORE_RELATIONS = Set.of("join", "only", "table");

    /** Words that take arguments of which one may stand behind FROM. */
    private static final Set<String> WITH_FROM_AMONG_ARGUMENTS = Set.of("extract", "overlay", "substring", "trim");

    private static final Set<String> CASTS = Set.of("cast", "xmlserialize");
    private static final Set<String> BEGINNINGS_OF_QUERIES = Set.of("select", "with", "values", "table");

    /** The text between a bracket and its partner. */
    private static final class Level {
        /** The word before the bracket; empty if there is none. */
        private final String word;
        /** Whether a table may begin behind the bracket. */
        private final boolean opensTable;
        /** Whether columns may be listed with their types. */
        private final boolean listsColumns;
        /** Whether a FROM clause is open, so that a comma leads to another table. */
        private boolean inFrom;

        Level(String word, boolean opensTable, boolean listsColumns) {
            this.word = word;
            this.opensTable = opensTable;
            this.listsColumns = listsColumns;
        }
    }

    private final Tokens tokens;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final BitSet found = new BitSet();
    private Level level = new Level("", false, false);

    private RelationPlaces(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Returns the indexes of the names; of a qualified name, that of its last part. */
    static BitSet in(Tokens tokens) {
        RelationPlaces places = new RelationPlaces(tokens);
        for (int i = 0; i < tokens.size(); i++) {
            places.read(i);
        }
        return places.found;
    }

    private void read(int i) {
        Token token = tokens.get(i);
        if (token.is('(') || token.is('[')) {
            levels.push(level);
            level = opened(i);
        } else if ((token.is(')') || token.is(']')) && !levels.isEmpty()) {
            level = levels.pop();
        } else if (token.isIdentifier() && !isQualifier(i)) {
            if (isPlace(i)) {
                found.set(i);
            }
            if (token.kind() == Lexer.WORD && !tokens.get(i - 1).is('.')) {
                clause(i, token.text());
            }
        }
    }

    private Level opened(int i) {
        Token before = tokens.get(i - 1);
        Token next = tokens.get(i + 1);
        boolean query = next.kind() == Lexer.WORD && BEGINNINGS_OF_QUERIES.contains(next.text());
        return new Level(
                before.kind() == Lexer.WORD ? before.text() : "", leadsToTable(i - 1), before.isIdentifier() && !query);
    }

    /** Notes which clause of the query begins. A word behind a point is a column, whatever it is. */
    private void clause(int i, String word) {
        switch (word) {
            case "from" -> level.inFrom |= opensFrom(i);
            case "select" -> level.inFrom = false;
            case "group", "order" -> level.inFrom &= !tokens.get(i + 1).is("by");
            default -> {}
        }
    }

    private boolean opensFrom(int i) {
        return !WITH_FROM_AMONG_ARGUMENTS.contains(level.word) && !endsDistinctFrom(i);
    }

    /** Whether IS [NOT] DISTINCT FROM ends here, as opposed to SELECT x.is DISTINCT FROM, where DISTINCT is a label. */
    private boolean endsDistinctFrom(int i) {
        if (!tokens.get(i - 1).is("distinct")) {
            return false;
        }
        int is = tokens.get(i - 2).is("not") ? i - 3 : i - 2;
        return tokens.get(is).is("is") && !tokens.get(is - 1).is('.');
    }

    private boolean isQualifier(int i) {
        return tokens.get(i + 1).is('.') && tokens.get(i + 2).isIdentifier();
    }

    private boolean isPlace(int i) {
        int first = i;
        while (tokens.get(first - 1).is('.') && tokens.get(first - 2).isIdentifier()) {
            first -= 2;
        }
        return leadsToTable(first - 1) || leadsToType(first - 1) || hasLiteral(i);
    }

    /** Whether a relation may stand behind the token. */
    private boolean leadsToTable(int i) {
        Token before = tokens.get(i);
        if (before.is(',')) {
            return level.inFrom;
        }
        if (before.is('(')) {
            return level.opensTable;
        }
        return before.kind() == Lexer.WORD
                && (before.is("from") ? opensFrom(i) : BEFORE_RELATIONS.contains(before.text()));
    }

    private boolean leadsToType(int i) {
        Token before = tokens.get(i);
        if (before.kind() == Lexer.OPERATOR) {
            return before.text().equals("::");
        }
        return before.is("returning")
                || (before.is("as") && CASTS.contains(level.word))
                || (level.listsColumns && isColumn(i));
    }

    /** Whether a list of columns may have the name of a column at this index. */
    private boolean isColumn(int i) {
        Token token = tokens.get(i);
        Token before = tokens.get(i - 1);
        return (before.is('(') || before.is(','))
                && (token.kind() == Lexer.QUOTED || (token.kind() == Lexer.WORD && !KeyWords.isReserved(token.text())));
    }

    /** Whether it is the name of a type in front of a literal. */
    private boolean hasLiteral(int i) {
        return tokens.get(i + 1).kind() == Lexer.STRING;
    }
}
