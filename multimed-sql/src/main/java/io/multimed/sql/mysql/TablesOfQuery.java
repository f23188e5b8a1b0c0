package io.multimed.sql.mysql;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The walk through the tokens of a query, which finds the tables that it reads. It gives up at the first token that it does not know in its
 * place, so a statement whose tables it returns is a read.
 */
final class TablesOfQuery {
    private static final Set<String> ENDS_OF_FROM = Set.of(
            "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "WINDOW", "OFFSET", "FETCH");
    /** Behind a sequence's name, under {@code sql_mode = ORACLE}: the value that the session has drawn, or a new one. */
    private static final Set<String> DRAWN_VALUES = Set.of("CURRVAL", "NEXTVAL");
    /** Most parentheses within each other. */
    private static final int DEEPEST = 30;

    /** The tokens between one pair of parentheses. */
    private static final class Level {
        boolean ignoresFrom;
        boolean selects;
        boolean inFrom;
        boolean expectsTable;
    }

    private final List<MysqlToken> tokens;
    private final boolean mayHaveParameters;
    private final Set<String> tables = new HashSet<>();
    private final Set<String> withNames = new HashSet<>();
    private final ArrayDeque<Level> levels = new ArrayDeque<>();

    TablesOfQuery(List<MysqlToken> tokens, boolean mayHaveParameters) {
        this.tokens = tokens;
        this.mayHaveParameters = mayHaveParameters;
    }

    /** Returns the names of all tables; null if the statement is no read that is understood. */
    @Nullable
    Set<String> tables() {
        if (tokens.isEmpty()
                || !(tokens.get(0).is("SELECT")
                        || tokens.get(0).is("WITH")
                        || tokens.get(0).is("("))) {
            return null;
        }
        levels.push(new Level());
        for (int i = 0; i < tokens.size(); ) {
            int next = step(i);
            if (next < 0 || levels.size() > DEEPEST) {
                return null;
            }
            i = next;
        }
        if (levels.size() != 1) {
            return null;
        }
        tables.removeAll(withNames);
        return tables;
    }

    private boolean is(int index, String text) {
        return index >= 0 && index < tokens.size() && tokens.get(index).is(text);
    }

    /**
     * Looks at one token, or several.
     *
     * @return the index of the next; -1 if the statement is not understood
     */
    private int step(int i) {
        MysqlToken token = tokens.get(i);
        Level level = levels.element();
        if (level.expectsTable && !token.is("(") && !token.is("SELECT")) {
            return table(i, level);
        }
        return switch (token.kind()) {
            case STRING, NUMBER -> i + 1;
            case QUOTED_NAME -> is(i + 1, "(") || isDrawnValue(i) ? -1 : withName(i);
            case WORD -> word(i, token, level);
            case SYMBOL -> symbol(i, token, level);
        };
    }

    private boolean isDrawnValue(int i) {
        return is(i - 1, ".") && DRAWN_VALUES.contains(tokens.get(i).raw().toUpperCase(Locale.ROOT));
    }

    private int withName(int i) {
        if (is(i - 1, "WITH") || is(i - 1, "RECURSIVE") || (is(i - 1, ",") && is(i + 1, "AS") && is(i + 2, "("))) {
            withNames.add(tokens.get(i).raw());
        }
        return i + 1;
    }

    private int table(int i, Level level) {
        MysqlToken name = tokens.get(i);
        if (!name.isName() || !isPlain(name.raw()) || MysqlFunctions.FORBIDDEN.contains(name.text())) {
            return -1;
        }
        level.expectsTable = false;
        if (name.is("DUAL")) {
            return i + 1;
        }
        if (is(i + 1, ".")) {
            if (i + 2 >= tokens.size()
                    || !tokens.get(i + 2).isName()
                    || !isPlain(tokens.get(i + 2).raw())) {
                return -1;
            }
            tables.add(name.raw() + MysqlStatement.SEPARATOR + tokens.get(i + 2).raw());
            return is(i + 3, "(") ? -1 : i + 3;
        }
        tables.add(name.raw());
        return is(i + 1, "(") ? -1 : i + 1;
    }

    private static boolean isPlain(String name) {
        return name.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    private int word(int i, MysqlToken token, Level level) {
        String word = token.text();
        boolean isColumn = is(i - 1, ".");
        if (isColumn) {
            return is(i + 1, "(") || DRAWN_VALUES.contains(word) ? -1 : i + 1;
        }
        if (MysqlFunctions.FORBIDDEN.contains(word)
                || (is(i + 1, "(") && !MysqlStatements.isReviewed(tokens, i) && !word.equals("WITH"))) {
            return -1;
        }
        if (!token.raw().chars().allMatch(c -> c < 0x80)) {
            return -1;
        }
        if (word.equals("SELECT")) {
            level.selects = true;
            level.inFrom = false;
            level.expectsTable = false;
            level.ignoresFrom = false;
        } else if (word.equals("FROM") && !level.ignoresFrom) {
            if (!level.selects) {
                return -1;
            }
            level.inFrom = true;
            level.expectsTable = true;
        } else if (level.inFrom && (word.equals("JOIN") || word.equals("STRAIGHT_JOIN"))) {
            level.expectsTable = true;
        } else if (word.equals("JOIN")) {
            return -1;
        } else if (ENDS_OF_FROM.contains(word)) {
            level.inFrom = false;
        } else {
            withName(i);
        }
        return i + 1;
    }

    private int symbol(int i, MysqlToken token, Level level) {
        switch (token.text()) {
            case "(" -> {
                Level inner = new Level();
                if (level.expectsTable) {
                    level.expectsTable = false;
                    inner.inFrom = true;
                    inner.selects = true;
                    inner.expectsTable = true;
                }
                inner.ignoresFrom = i > 0
                        && tokens.get(i - 1).kind() == MysqlToken.Kind.WORD
                        && MysqlFunctions.WITH_FROM.contains(tokens.get(i - 1).text());
                levels.push(inner);
            }
            case ")" -> {
                if (levels.size() < 2 || levels.pop().expectsTable) {
                    return -1;
                }
            }
            case "," -> level.expectsTable = level.inFrom;
            case ";" -> {
                for (int rest = i; rest < tokens.size(); rest++) {
                    if (!is(rest, ";")) {
                        return -1;
                    }
                }
            }
            case "@", "{", "}", "[", "]", "\\", ":" -> {
                return -1;
            }
            case "?" -> {
                return mayHaveParameters ? i + 1 : -1;
            }
            default -> {}
        }
        return i + 1;
    }
}
