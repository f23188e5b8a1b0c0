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
import java.util.function.ToLongFunction;

/**
 * An immutable snapshot of the objects in a database that change the meaning of names and are not built in.
 *
 * <p>Names carry no schema: a name stands for all objects of that name in any schema, so that {@code search_path} does not matter.
 * To fill a catalog, execute {@link #QUERY} on the Master in that database and pass every row to {@link Builder#row}. Any thread.
 */
public final class DatabaseCatalog {
    private static final AtomicLong VERSIONS = new AtomicLong();
    private static final int MOST_PARAMETERS = 50;

    /**
     * Query that yields the rows for {@link Builder#row}: three text columns {@code kind, name, detail}, where detail may be null.
     * Works on PostgreSQL 15 to 18, needs no privilege beyond reading the system catalogs, and takes milliseconds.
     */
    public static final String QUERY = CatalogQuery.TEXT;

    /** Query for {@link #parametersSet} alone. It has one text column and works in any session, whatever its settings. */
    public static final String PARAMETERS_SET_QUERY = CatalogQuery.PARAMETERS_SET;

    /**
     * Query that yields the rows for {@link Builder#relation}, if partial Satellites carry tables of the database. Its parameters:
     * an array of the Satellites' bits and, in the same order, one of their tables' names, as {@link PartialTables} has them; and
     * the bits of all of them.
     */
    public static final String RELATIONS_QUERY = CatalogQuery.RELATIONS;

    /**
     * Query that yields the rows for {@link Builder#column}, if partial Satellites carry tables of the database without some columns. Its
     * parameters are arrays: the Satellites' bits and, in the same order, the name of a table and that of a column that is carried.
     */
    public static final String LIMITED_COLUMNS_QUERY = CatalogQuery.LIMITED_COLUMNS;

    /** Catalog of a database that has not been read yet. None of its statements counts as a read. */
    public static final DatabaseCatalog UNKNOWN = new Builder().build(false);

    /** Catalog of a database that is known to hold only built-in objects and plain tables. */
    public static final DatabaseCatalog EMPTY = new Builder().build(true);

    private final long version = VERSIONS.incrementAndGet();
    private final String database;
    private final boolean known;
    private final Map<String, Named> names;
    private final Map<String, List<String>> operators;
    private final List<String> everywhere;
    private final Set<String> parametersSet;
    private final long holders;
    private final Map<String, Long> relations;
    private final Set<String> namingTypes;
    private final Map<String, Map<Integer, Columns>> limited;

    private DatabaseCatalog(Builder builder, boolean known) {
        this.known = known;
        database = builder.database;
        Map<String, Named> frozen = new HashMap<>();
        builder.names.forEach((name, draft) -> frozen.put(name, draft.freeze()));
        this.names = Map.copyOf(frozen);
        Map<String, List<String>> operators = new HashMap<>();
        builder.operators.forEach((name, functions) -> operators.put(name, List.copyOf(functions)));
        this.operators = Map.copyOf(operators);
        this.everywhere = List.copyOf(builder.everywhere);
        this.parametersSet = Set.copyOf(builder.parametersSet);
        this.holders = builder.holders;
        this.relations = Map.copyOf(builder.relations);
        this.namingTypes = Set.copyOf(builder.namingTypes);
        Map<String, Map<Integer, Columns>> columns = new HashMap<>();
        builder.limited.forEach((name, nodes) -> {
            Map<Integer, Columns> ofName = new HashMap<>();
            nodes.forEach((node, tables) -> ofName.put(node, Columns.of(tables.values())));
            columns.put(name, Map.copyOf(ofName));
        });
        this.limited = Map.copyOf(columns);
    }

    private DatabaseCatalog(DatabaseCatalog other, long holders, Map<String, Long> relations) {
        known = other.known;
        database = other.database;
        names = other.names;
        operators = other.operators;
        everywhere = other.everywhere;
        parametersSet = other.parametersSet;
        namingTypes = other.namingTypes;
        limited = Map.of();
        this.holders = holders;
        this.relations = Map.copyOf(relations);
    }

    /**
     * Returns the same catalog with other partial Satellites.
     *
     * @param nodes the bits of all of them
     * @param held the bits of those that hold the relation of a name
     */
    DatabaseCatalog heldBy(long nodes, ToLongFunction<String> held) {
        Map<String, Long> others = new HashMap<>();
        relations.keySet().forEach(name -> others.put(name, held.applyAsLong(name)));
        return new DatabaseCatalog(this, nodes, others);
    }

    /** Returns the name of the database; empty if it was not told. */
    String database() {
        return database;
    }

    /** Returns the names of the relations whose holders are known. */
    Set<String> relations() {
        return relations.keySet();
    }

    /** Returns a number that is unique among all catalogs of this process, so it also distinguishes databases. */
    public long version() {
        return version;
    }

    /** Whether both hold the same. If so, the older catalog may stay in use, together with the classifications made under it. */
    public boolean sameContents(DatabaseCatalog other) {
        return known == other.known
                && database.equals(other.database)
                && names.equals(other.names)
                && operators.equals(other.operators)
                && everywhere.equals(other.everywhere)
                && parametersSet.equals(other.parametersSet)
                && holders == other.holders
                && relations.equals(other.relations)
                && namingTypes.equals(other.namingTypes)
                && limited.equals(other.limited);
    }

    boolean known() {
        return known;
    }

    /** Whether the name stands for any object. */
    boolean contains(String name) {
        return names.containsKey(key(name));
    }

    /** Returns the objects that the name stands for, or {@link Named#NOTHING}. */
    Named named(String name) {
        return names.getOrDefault(key(name), Named.NOTHING);
    }

    /** Returns the bits of the partial Satellites that carry tables of this database. */
    long holders() {
        return holders;
    }

    /**
     * Whether the name stands for a type of the user's whose values name relations, roles and so on: one made of the types reg*.
     */
    boolean isNamingType(String name) {
        return namingTypes.contains(key(name));
    }

    /** Whether the name stands for a relation whose holders are known. */
    boolean isRelation(String name) {
        return relations.containsKey(key(name));
    }

    /**
     * Returns the bits of the partial Satellites that hold all relations of the name, apart from their definitions; all bits if
     * there is none.
     */
    long holders(String name) {
        return relations.getOrDefault(key(name), Verdict.ALL_HOLDERS);
    }

    /** Returns the columns of relations of the name on partial Satellites that lack some, by the Satellites' numbers. */
    Map<Integer, Columns> limitedColumns(String name) {
        return limited.getOrDefault(key(name), Map.of());
    }

    /**
     * The columns of all tables of a name on a partial Satellite that carries them without some.
     *
     * @param lacking those that it lacks of any
     * @param carried those that it carries of each
     */
    record Columns(Set<String> lacking, Set<String> carried) {
        private static Columns of(Collection<Map<String, Boolean>> tables) {
            Set<String> lacking = new TreeSet<>();
            Set<String> carried = new TreeSet<>();
            tables.forEach(table -> table.forEach((column, isCarried) -> (isCarried ? carried : lacking).add(column)));
            carried.removeIf(column -> !tables.stream().allMatch(table -> table.getOrDefault(column, false)));
            return new Columns(Set.copyOf(lacking), Set.copyOf(carried));
        }
    }

    /** Returns the functions behind user-defined operators of this name; empty if there are none. */
    List<String> operator(String name) {
        return operators.getOrDefault(name, List.of());
    }

    Map<String, List<String>> operators() {
        return operators;
    }

    /** Returns the functions that any statement may run without naming them, through casts between built-in types. */
    List<String> everywhere() {
        return everywhere;
    }

    /**
     * Returns the parameters with a qualified name that functions set, in lower case, as far as the text of the functions shows
     * them. Empty if the catalog is unknown, or if there are more than {@value #MOST_PARAMETERS}; then use
     * {@link #PARAMETERS_SET_QUERY}.
     */
    public Optional<Set<String>> parametersSet() {
        return known && parametersSet.size() <= MOST_PARAMETERS ? Optional.of(parametersSet) : Optional.empty();
    }

    /**
     * Returns the name under which an entry is stored. PostgreSQL folds letters beyond ASCII by the server's locale, which is not
     * known here. Names with such letters are therefore compared without regard to case, which can only find too many entries.
     */
    static String key(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80) {
                return name.toLowerCase(Locale.ROOT);
            }
        }
        return name;
    }

    /**
     * The objects and functions behind one name.
     *
     * @param functions user-defined functions of the name
     * @param definitions SQL that is executed when the name is read: views, row security policies, domain checks
     * @param calls functions that may run when the name is used as a type, or as a table with columns of such types
     * @param hooks functions that may run when a relation of the name is written; {@code "*"} for a rewrite rule
     * @param uses other names that are reached by reading or using this one: types of columns and elements, partitions, child
     *     tables
     * @param writes relations that may be written as well, by foreign key actions, when a relation of the name is written
     * @param masterOnly whether the name is a relation whose contents only the Master has: unlogged, foreign, a sequence
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

    /** Collects the rows of {@link #QUERY}. One thread. */
    public static final class Builder {
        private final Map<String, Draft> names = new HashMap<>();
        private final Map<String, TreeSet<String>> operators = new HashMap<>();
        private final TreeSet<String> everywhere = new TreeSet<>();
        private final TreeSet<String> parametersSet = new TreeSet<>();
        private final Map<String, Long> relations = new HashMap<>();
        private final TreeSet<String> namingTypes = new TreeSet<>();
        private final Map<String, Map<Integer, Map<Long, Map<String, Boolean>>>> limited = new HashMap<>();
        private long holders;
        private String database = "";

        /** Sets the name of the database. */
        public Builder database(String name) {
            database = name;
            return this;
        }

        /**
         * Adds one row.
         *
         * @throws IllegalArgumentException if {@link #QUERY} never yields this kind
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

        /** Sets the bits of the partial Satellites that carry tables of this database. */
        public Builder holders(long nodes) {
            holders = nodes;
            return this;
        }

        /**
         * Adds one row of {@link #RELATIONS_QUERY}.
         *
         * @param nodes bits of the partial Satellites that hold the relation; null if the name is that of a type whose values name
         *     relations, roles and so on
         */
        public Builder relation(String name, @org.jspecify.annotations.Nullable Long nodes) {
            if (nodes == null) {
                namingTypes.add(key(name));
            } else {
                relations.merge(key(name), nodes, (some, others) -> some & others);
            }
            return this;
        }

        /**
         * Adds one row of {@link #LIMITED_COLUMNS_QUERY}.
         *
         * @param node the number of a partial Satellite
         * @param table distinguishes the tables of the name
         */
        public Builder column(String name, int node, long table, String column, boolean isCarried) {
            limited.computeIfAbsent(key(name), n -> new HashMap<>())
                    .computeIfAbsent(node, n -> new HashMap<>())
                    .computeIfAbsent(table, t -> new HashMap<>())
                    .merge(key(column), isCarried, (some, others) -> some && others);
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
         * Parses a function's detail as {@link #QUERY} writes it: volatility, language, the extension and, on a line of their own,
         * the types of the arguments.
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
