package io.multimed.sql;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a query that names a relation can read columns of it that it does not name. It can do so by a star, by a value that is a
 * whole row, by another name that it gives to a column, and by a join over all columns of the same names. Whatever is not understood counts
 * as one of these.
 *
 * <p>Columns that it names are found by their names alone, in any place and of whatever they are: a name that could be that of another
 * relation's column, or of an alias, may mean the column all the same.
 */
final class ColumnReads {
    private static final Set<String> QUERIES = Set.of("select", "with", "values", "table");
    /** Words that no alias can be although they are not reserved everywhere. */
    private static final Set<String> NO_ALIASES =
            Set.of("cross", "full", "inner", "join", "left", "natural", "outer", "right", "tablesample");

    private final Tokens tokens;
    private final BitSet places;
    private final String relation;
    private final Set<String> carried;
    /** Names by which the text can mean a row of the relation. */
    private final Set<String> names = new HashSet<>();
    /** The places of these names where they are given. */
    private final BitSet given = new BitSet();

    private ColumnReads(Tokens tokens, BitSet places, String relation, Set<String> carried) {
        this.tokens = tokens;
        this.places = places;
        this.relation = relation;
        this.carried = carried;
    }

    /** Returns one of the columns that the tokens may name; null if they name none. */
    static @Nullable String named(Tokens tokens, Set<String> columns) {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isIdentifier() && columns.contains(DatabaseCatalog.key(token.text()))) {
                return token.text();
            }
        }
        return null;
    }

    /** Returns why an expression about the relation's rows, such as a policy, may read more than it names; null if it cannot. */
    static @Nullable String beyondNamesInExpression(Tokens tokens, String relation) {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (isStar(token) || (token.isIdentifier() && isNamed(token, relation))) {
                return "whole rows";
            }
        }
        return null;
    }

    /**
     * Returns why the text may read more of the relation than it names; null if it cannot.
     *
     * @param places where it may name relations: {@link RelationPlaces}
     * @param relation that is named in one of them
     * @param carried columns of the relation that the text may read
     */
    static @Nullable String beyondNames(Tokens tokens, BitSet places, String relation, Set<String> carried) {
        return new ColumnReads(tokens, places, relation, carried).find();
    }

    private @Nullable String find() {
        for (int i = 0; i < tokens.size(); i++) {
            if (isStar(tokens.get(i)) && !isCount(i) && !isProduct(i)) {
                return "all columns by *";
            }
            if (tokens.get(i).is("natural")) {
                return "columns by NATURAL";
            }
        }
        if (namesJoin()) {
            return "rows of a join";
        }
        names.add(DatabaseCatalog.key(relation));
        for (int i = places.nextSetBit(0); i >= 0; i = places.nextSetBit(i + 1)) {
            if (isNamed(tokens.get(i), relation)) {
                given.set(i);
                if (!findAlias(i)) {
                    return "columns under other names";
                }
            }
        }
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean isName = token.isIdentifier() && names.contains(DatabaseCatalog.key(token.text()));
            if (isName && !given.get(i) && isRow(i)) {
                return "whole rows";
            }
        }
        return null;
    }

    /**
     * Whether the name of the relation, or its alias, may stand for its rows. It does not before one of its columns. Before another name it
     * may: {@code i.to_json} is {@code to_json(i)}. Behind a point it is a column of something else.
     */
    private boolean isRow(int i) {
        if (tokens.get(i + 1).is('.')) {
            Token column = tokens.get(i + 2);
            return !column.isIdentifier() || !carried.contains(DatabaseCatalog.key(column.text()));
        }
        return !tokens.get(i - 1).is('.');
    }

    private static boolean isNamed(Token token, String name) {
        return DatabaseCatalog.key(token.text()).equals(DatabaseCatalog.key(name));
    }

    private static boolean isStar(Token token) {
        return (token.kind() == Lexer.OPERATOR || token.kind() == Lexer.PUNCTUATION)
                && token.text().equals("*");
    }

    private boolean isCount(int star) {
        return tokens.get(star - 1).is('(')
                && tokens.get(star - 2).is("count")
                && tokens.get(star + 1).is(')');
    }

    /** Whether the star has an operand behind it. Behind a star for all columns a query goes on with a key word or a bracket, or ends. */
    private boolean isProduct(int star) {
        Token before = tokens.get(star - 1);
        Token next = tokens.get(star + 1);
        boolean hasLeft = before.isPlainName() || before.isLiteral() || before.is(')') || before.is(']');
        return hasLeft && (next.isPlainName() || next.isLiteral() || next.is('('));
    }

    /** Whether tables are joined in brackets that are given a name, which then stands for the rows of all of them. */
    private boolean namesJoin() {
        Deque<Bracket> outer = new ArrayDeque<>();
        Bracket bracket = new Bracket(false);
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.is('(') || token.is('[')) {
                outer.push(bracket);
                Token next = tokens.get(i + 1);
                boolean isQuery = next.kind() == Lexer.WORD && QUERIES.contains(next.text());
                bracket = new Bracket(!isQuery && (bracket.joins || leadsToTable(tokens.get(i - 1))));
            } else if ((token.is(')') || token.is(']')) && !outer.isEmpty()) {
                Bracket closed = bracket;
                bracket = outer.pop();
                bracket.hasTable |= closed.joins && closed.hasTable;
                if (closed.joins && closed.hasTable && (tokens.get(i + 1).is("as") || isAlias(tokens.get(i + 1)))) {
                    return true;
                }
            } else if (places.get(i)) {
                bracket.hasTable = true;
            }
        }
        return false;
    }

    private static final class Bracket {
        /** Whether tables may be joined in it, as opposed to a query or an expression. */
        private final boolean joins;

        private boolean hasTable;

        Bracket(boolean joins) {
            this.joins = joins;
        }
    }

    private static boolean leadsToTable(Token token) {
        return token.is("from") || token.is("join") || token.is("lateral") || token.is("only") || token.is(',');
    }

    /**
     * Finds the name that the relation is given behind its place.
     *
     * @return false if its columns may get other names too, or the place is none of a table in FROM
     */
    private boolean findAlias(int place) {
        int first = place;
        while (tokens.get(first - 1).is('.') && tokens.get(first - 2).isIdentifier()) {
            first -= 2;
        }
        if (tokens.get(first - 1).is("only")) {
            first--;
        }
        Token lead = tokens.get(first - 1);
        // Behind a bracket a join begins; one that is given a name has been refused.
        if (!lead.is("from") && !lead.is("join") && !lead.is(',') && !lead.is('(')) {
            return false;
        }
        int behind = place + 1;
        boolean as = tokens.get(behind).is("as");
        if (as) {
            behind++;
        }
        Token alias = tokens.get(behind);
        if (isAlias(alias)) {
            names.add(DatabaseCatalog.key(alias.text()));
            given.set(behind);
            behind++;
        } else if (as) {
            return false;
        }
        Token next = tokens.get(behind);
        return !next.is('(') && !isStar(next) && !next.is('.') && !next.is("as");
    }

    private static boolean isAlias(Token token) {
        return token.kind() == Lexer.QUOTED
                || (token.kind() == Lexer.WORD
                        && !KeyWords.isReserved(token.text())
                        && !NO_ALIASES.contains(token.text()));
    }
}
