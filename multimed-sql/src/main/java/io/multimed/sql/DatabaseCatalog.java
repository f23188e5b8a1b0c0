package io.multimed.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a database holds that changes the meaning of names: an immutable snapshot of what is not built in.
 *
 * <p>Names carry no schema: a name stands for everything of that name in any schema, so that {@code search_path} does
 * not matter. To fill one, execute {@link #QUERY} on the Master in that database and hand every row to {@link
 * Builder#row}. Any thread.
 */
public final class DatabaseCatalog {
    private static final AtomicLong VERSIONS = new AtomicLong();
    private static final int MOST_PARAMETERS = 50;

    /**
     * Yields the rows for {@link Builder#row}: three text columns {@code kind, name, detail}, detail possibly null.
     * PostgreSQL 15 to 18; needs no privilege beyond reading the system catalogs; takes milliseconds.
     */
    public static final String QUERY = CatalogQuery.TEXT;

    /** The query for {@link #parametersSet} alone, one text column; any session may ask it, whatever it has set. */
    public static final String PARAMETERS_SET_QUERY = CatalogQuery.PARAMETERS_SET;

    /** Nothing is known yet: no statement of such a database counts as a read. */
    public static final DatabaseCatalog UNKNOWN = new Builder().build(false);

    /** Known to hold nothing but what is built in and plain tables. */
    public static final DatabaseCatalog EMPTY = new Builder().build(true);

    private final long version = VERSIONS.incrementAndGet();
    private final boolean known;
    private final Map<String, Named> names;
    private final Map<String, List<String>> operators;
    private final List<String> everywhere;
    private final Set<String> parametersSet;

    private DatabaseCatalog(Builder builder, boolean known) {
        this.known = known;
        Map<String, Named> frozen = new HashMap<>();
        builder.names.forEach((name, draft) -> frozen.put(name, draft.freeze()));
        this.names = Map.copyOf(frozen);
        Map<String, List<String>> operators = new HashMap<>();
        builder.operators.forEach((name, functions) -> operators.put(name, List.copyOf(functions)));
        this.operators = Map.copyOf(operators);
        this.everywhere = List.copyOf(builder.everywhere);
        this.parametersSet = Set.copyOf(builder.parametersSet);
    }

    /** Unique among all catalogs of this process, so that it also tells databases apart. */
    public long version() {
        return version;
    }

    /** Whether both hold the same; then the older one may stay in use, and with it what was classified under it. */
    public boolean sameContents(DatabaseCatalog other) {
        return known == other.known
                && names.equals(other.names)
                && operators.equals(other.operators)
                && everywhere.equals(other.everywhere)
                && parametersSet.equals(other.parametersSet);
    }

    boolean known() {
        return known;
    }

    /** What the name stands for, or {@link Named#NOTHING}. */
    Named named(String name) {
        return names.getOrDefault(key(name), Named.NOTHING);
    }

    /** The functions behind user-defined operators of this name; empty if there are none. */
    List<String> operator(String name) {
        return operators.getOrDefault(name, List.of());
    }

    Map<String, List<String>> operators() {
        return operators;
    }

    /** Functions that any statement may run without naming them, through casts between built-in types. */
    List<String> everywhere() {
        return everywhere;
    }

    /**
     * Parameters with a qualified name that functions set, in lower case, as far as the functions' text tells. Empty if nothing
     * is known, or if there are more than {@value #MOST_PARAMETERS}: {@link #PARAMETERS_SET_QUERY} tells then.
     */
    public Optional<Set<String>> parametersSet() {
        return known && parametersSet.size() <= MOST_PARAMETERS ? Optional.of(parametersSet) : Optional.empty();
    }

    /**
     * PostgreSQL folds letters beyond ASCII by the server's locale, which is not known here: such names are compared
     * without regard to case, which can only find more.
     */
    private static String key(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80) {
                return name.toLowerCase(Locale.ROOT);
            }
        }
        return name;
    }

    /**
     * Everything that one name stands for.
     *
     * @param functions user-defined functions of the name
     * @param definitions SQL that is executed when the name is read: views, row security policies, domain checks
     * @param calls functions that may run when the name is used as a type, or as a table with columns of such types
     * @param hooks functions that may run when a relation of the name is written; {@code "*"} for a rewrite rule
     * @param uses other names that reading or using this one comes to: types of columns and elements, partitions, heirs
     * @param writes relations that writing one of the name may write as well, by actions of foreign keys
     * @param masterOnly a relation whose contents only the Master has: unlogged, foreign, a sequence
     */
    record Named(
            List<UserFunction> functions,
            List<String> definitions,
            List<String> calls,
            List<String> hooks,
            List<String> uses,
            List<String> writes,
            boolean masterOnly) {
        static final Named NOTHING = new Named(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), false);
    }

    /**
     * A function that is not built in.
     *
     * @param volatility as in {@code pg_proc}: {@code i} for IMMUTABLE, {@code s} for STABLE, {@code v} for VOLATILE
     * @param language {@code c} for C, {@code i} for internal, {@code s} for SQL, {@code o} for any other
     * @param extension the extension it belongs to, empty if none
     * @param arguments names of their types, with commas between them; empty if it belongs to no extension
     */
    record UserFunction(char volatility, char language, String extension, String arguments) {
        boolean immutableC() {
            return volatility == 'i' && language == 'c';
        }
    }

    /** Collects the rows of {@link #QUERY}. One thread. */
    public static final class Builder {
        private final Map<String, Draft> names = new HashMap<>();
        private final Map<String, TreeSet<String>> operators = new HashMap<>();
        private final TreeSet<String> everywhere = new TreeSet<>();
        private final TreeSet<String> parametersSet = new TreeSet<>();

        /**
         * Adds one row.
         *
         * @throws IllegalArgumentException if the kind is none that {@link #QUERY} yields
         */
        public Builder row(String kind, String name, @org.jspecify.annotations.Nullable String detail) {
            String text = detail == null ? "" : detail;
            switch (kind) {
                case "function" -> draft(name).functions.add(userFunction(text));
                case "definition" -> draft(name).definitions.add(text);
                case "calls" -> draft(name).calls.add(text);
                case "hook" -> draft(name).hooks.add(text);
                case "uses" -> draft(name).uses.add(text);
                case "writes" -> draft(name).writes.add(text);
                case "master" -> draft(name).masterOnly = true;
                case "operator" ->
                    operators.computeIfAbsent(name, n -> new TreeSet<>()).add(text);
                case "everywhere" -> everywhere.add(text);
                case "sets" -> parametersSet.add(name);
                default -> throw new IllegalArgumentException("unknown kind: " + kind);
            }
            return this;
        }

        public DatabaseCatalog build() {
            return build(true);
        }

        private DatabaseCatalog build(boolean known) {
            return new DatabaseCatalog(this, known);
        }

        private Draft draft(String name) {
            return names.computeIfAbsent(key(name), n -> new Draft());
        }

        /**
         * As {@link #QUERY} writes it: volatility, language, the extension and, on a line of their own, the types of the
         * arguments.
         */
        private static UserFunction userFunction(String detail) {
            if (detail.length() < 2) {
                throw new IllegalArgumentException("not a function's detail: " + detail);
            }
            int line = detail.indexOf('\n');
            int end = line < 0 ? detail.length() : line;
            return new UserFunction(
                    detail.charAt(0),
                    detail.charAt(1),
                    detail.substring(2, end),
                    line < 0 ? "" : detail.substring(line + 1));
        }
    }

    private static final class Draft {
        private final List<UserFunction> functions = new ArrayList<>();
        private final Collection<String> definitions = new TreeSet<>();
        private final Collection<String> calls = new TreeSet<>();
        private final Collection<String> hooks = new TreeSet<>();
        private final Collection<String> uses = new TreeSet<>();
        private final Collection<String> writes = new TreeSet<>();
        private boolean masterOnly;

        private Named freeze() {
            functions.sort(java.util.Comparator.comparing(UserFunction::toString));
            return new Named(
                    List.copyOf(functions),
                    List.copyOf(definitions),
                    List.copyOf(calls),
                    List.copyOf(hooks),
                    List.copyOf(uses),
                    List.copyOf(writes),
                    masterOnly);
        }
    }
}
