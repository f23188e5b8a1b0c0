package io.multimed.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The meaning of names in one database: built-in functions by the reviewed list, everything else by the catalog and by the user's
 * declarations. Any thread.
 */
final class Names {
    private static final String ASKING_CHANNELS = "pg_listening_channels";
    private static final Set<String> ASKING_SEQUENCES = Set.of("currval", "lastval");

    /** Operators that SQL syntax applies implicitly: IN, BETWEEN, LIKE, CASE, DISTINCT, ORDER BY, USING. */
    private static final Set<String> UNWRITTEN_OPERATORS =
            Set.of("=", "<>", "<", ">", "<=", ">=", "~~", "!~~", "~~*", "!~~*", "~");

    private final DatabaseCatalog catalog;
    private final ClassifierOptions options;
    private final Verdict everywhere;
    // Contains only names and definitions of the catalog, so it does not grow larger than the catalog.
    private final Map<String, Verdict> reads = new ConcurrentHashMap<>();
    private final Map<String, Verdict> writes = new ConcurrentHashMap<>();
    private final Map<String, Boolean> queries = new ConcurrentHashMap<>();
    private final HoldingEvidence evidence;
    private final Holdings holdings;
    private final RuleTables ruleTables;

    Names(DatabaseCatalog catalog, ClassifierOptions options) {
        this(catalog, options, HoldingEvidence.NONE);
    }

    /**
     * Finds the meaning of names.
     *
     * @param evidence receives the reasons why partial Satellites do not hold a statement. A name is looked up once, so an object that
     *     collects reasons must be given to names for one statement.
     */
    Names(DatabaseCatalog catalog, ClassifierOptions options, HoldingEvidence evidence) {
        this.catalog = catalog;
        this.options = options;
        Verdict verdict = running(catalog.everywhere(), "a cast of the user's may run in any statement");
        for (String operator : catalog.operators().keySet()) {
            if (UNWRITTEN_OPERATORS.contains(operator)) {
                verdict = verdict.and(operator(operator));
            }
        }
        everywhere = verdict.heldBy(verdict.holders() & catalog.holders());
        this.evidence = evidence;
        holdings = new Holdings(catalog, this, evidence);
        ruleTables = new RuleTables(options.rules(), catalog);
    }

    /** Returns the bits of the routing rules whose condition about tables a query of these tokens fulfils. */
    long rulesTouchedBy(Tokens tokens) {
        return ruleTables.touchedBy(tokens);
    }

    /** Returns the verdict that applies to every statement of this database, whatever its text. */
    Verdict everywhere() {
        return everywhere;
    }

    /** Returns the verdict on a call of a function of this name. */
    Verdict call(String name) {
        DatabaseCatalog.Named named = catalog.named(name);
        if (!functionsSafe(name, named)) {
            return unsafe(name, named, "calls " + name + ", which is not declared safe");
        }
        Verdict ofUser = ofSafe(name, named);
        if ((!named.functions().isEmpty() && BuiltInFunctions.section(name) == null)
                || options.safeFunctions().contains(name)) {
            return ofUser;
        }
        return ofUser.and(callBuiltIn(name));
    }

    private static Verdict callBuiltIn(String name) {
        BuiltInFunctions.Section section = BuiltInFunctions.section(name);
        if (section == null) {
            return Verdict.opaque("calls " + name + ", which is not known");
        }
        String because = "calls " + name;
        return switch (section) {
            case IMMUTABLE, REVIEWED, MOMENT -> callHarmless(name, section);
            case MASTER ->
                new Verdict(
                        NotRead.MASTER_ONLY,
                        SessionEffect.NONE,
                        because,
                        false,
                        name.equals(ASKING_CHANNELS),
                        Processes.NONE,
                        false,
                        Verdict.ALL_HOLDERS,
                        "");
            case WRITES, INTERNAL -> Verdict.mayWrite(because);
            case PRIVATE ->
                new Verdict(
                        NotRead.MAY_WRITE,
                        SessionEffect.PRIVATE,
                        because,
                        ASKING_SEQUENCES.contains(name),
                        false,
                        Processes.NONE,
                        false,
                        Verdict.ALL_HOLDERS,
                        "");
            case HIDDEN -> new Verdict(NotRead.MAY_WRITE, SessionEffect.HIDDEN, because);
            case SETTINGS -> new Verdict(NotRead.MAY_WRITE, SessionEffect.SETTINGS, because);
            default -> Verdict.opaque(because);
        };
    }

    private static Verdict callHarmless(String name, BuiltInFunctions.Section section) {
        Verdict verdict = section == BuiltInFunctions.Section.MOMENT ? Verdict.MOMENTARY : Verdict.HARMLESS;
        return FunctionsOnPartials.areSame(name)
                ? verdict
                : verdict.and(Verdict.ofCompleteNodes("may answer differently: calls " + name));
    }

    /** Returns the verdict on a name of a user-defined function in a place that may or may not be a call. */
    Verdict mention(String name) {
        DatabaseCatalog.Named named = catalog.named(name);
        return functionsSafe(name, named)
                ? ofSafe(name, named)
                : unsafe(name, named, "may call " + name + ", which is not declared safe");
    }

    /** Returns the verdict on {@code row.name}, which calls a function of that name if one takes a row. */
    Verdict functionalNotation(String name) {
        Verdict ofUser = mention(name);
        BuiltInFunctions.Section section = BuiltInFunctions.section(name);
        if (!ofUser.harmless() || section == null || options.safeFunctions().contains(name)) {
            return ofUser;
        }
        // No built-in function of section MOMENT takes a row, and age and timezone are frequent column names.
        return section == BuiltInFunctions.Section.MOMENT ? ofUser : ofUser.and(callBuiltIn(name));
    }

    /**
     * Returns the verdict on a statement with its holders: the partial Satellites that hold all relations, and all types of users',
     * that the tokens may name, with everything behind these.
     *
     * @param verdict on everything else in the statement
     */
    Verdict heldBy(Verdict verdict, Tokens tokens) {
        evidence.lacks(~catalog.holders(), () -> "carries no table of this database");
        evidence.lacks(~verdict.holders() & catalog.holders(), verdict::lacking);
        return verdict.holders() == 0 ? verdict : verdict.heldBy(verdict.holders() & holdings.of(tokens));
    }

    /**
     * Returns the verdict on reading a relation of this name, or using a type of this name, with everything behind it. Its holders
     * are all, since they depend on the place of the name: see {@link #heldBy}.
     */
    Verdict read(String name) {
        return joined(
                name, false, reads, (reached, definition) -> definition.size() == 0 ? own(reached) : judge(definition));
    }

    /**
     * Returns the verdict on writing a relation of this name. It covers triggers, defaults, checks and rules, also those of the
     * relations behind a view.
     */
    Verdict write(String name) {
        return joined(
                name,
                true,
                writes,
                (reached, definition) -> definition.size() == 0 ? hooks(reached) : Verdict.HARMLESS);
    }

    private Verdict joined(
            String name, boolean writing, Map<String, Verdict> memo, BiFunction<String, Tokens, Verdict> judge) {
        if (!catalog.contains(name)) {
            return Verdict.HARMLESS;
        }
        Verdict known = memo.get(name);
        if (known == null) {
            Verdict[] joined = {Verdict.HARMLESS};
            reach(name, writing, (reached, definition) -> joined[0] = joined[0].and(judge.apply(reached, definition)));
            known = joined[0].heldBy(Verdict.ALL_HOLDERS);
            memo.put(name, known);
        }
        return known;
    }

    /**
     * Whether the parser takes everything for a query that is executed when the name is read. The parser is asked once for each
     * definition.
     */
    boolean standsForQueries(String name, Predicate<Tokens> isQuery) {
        if (!catalog.contains(name)) {
            return true;
        }
        boolean[] all = {true};
        reach(name, false, (reached, definition) -> {
            if (definition.size() > 0) {
                all[0] &= queries.computeIfAbsent(definition.text(), text -> isQuery.test(definition));
            }
        });
        return all[0];
    }

    private interface Reached {
        /**
         * Visits one name.
         *
         * @param definition one definition of the name, or no tokens for the name by itself
         */
        void at(String name, Tokens definition);
    }

    private static final Tokens NO_DEFINITION = Tokens.of("");

    /** Visits everything that a name stands for. Names that refer back to themselves are visited once. */
    private void reach(String first, boolean writing, Reached reached) {
        Set<String> visited = new HashSet<>();
        List<String> open = new ArrayList<>();
        visited.add(first);
        open.add(first);
        while (!open.isEmpty()) {
            String name = open.remove(open.size() - 1);
            DatabaseCatalog.Named named = catalog.named(name);
            reached.at(name, NO_DEFINITION);
            named.uses().stream().filter(visited::add).forEach(open::add);
            if (writing) {
                named.writes().stream().filter(visited::add).forEach(open::add);
            }
            for (String sql : named.definitions()) {
                Tokens definition = Tokens.of(sql).withoutSemicolon();
                reached.at(name, definition);
                for (int i = 0; i < definition.size(); i++) {
                    Token token = definition.get(i);
                    if (token.isIdentifier() && catalog.contains(token.text()) && visited.add(token.text())) {
                        open.add(token.text());
                    }
                }
            }
        }
    }

    Verdict judge(Tokens definition) {
        return new Judge(this, false).judgeDefinition(definition);
    }

    /** Returns the verdict on the name itself, apart from its definitions. */
    Verdict own(String name) {
        DatabaseCatalog.Named named = catalog.named(name);
        Verdict verdict = Verdict.HARMLESS;
        if (named.masterOnly()) {
            verdict = verdict.and(Verdict.masterOnly("reads " + name));
        }
        return verdict.and(running(named.calls(), "uses " + name + ", whose types have functions not declared safe"));
    }

    private Verdict hooks(String name) {
        return running(catalog.named(name).hooks(), "writes " + name + ", which runs functions of the user's");
    }

    /** Returns the verdict on an operator of this name, built in or user-defined. */
    Verdict operator(String name) {
        List<String> functions = catalog.operator(name.equals("!=") ? "<>" : name);
        return running(functions, "operator " + name + " of the user's is not declared safe");
    }

    boolean known() {
        return catalog.known();
    }

    /** Returns the verdict on functions that run without being named. */
    private Verdict running(List<String> functions, String becauseUnsafe) {
        Verdict verdict = Verdict.HARMLESS;
        for (String function : functions) {
            DatabaseCatalog.Named named = catalog.named(function);
            boolean builtIn = named.functions().isEmpty();
            if (builtIn ? !BuiltInFunctions.harmless(function) : !functionsSafe(function, named)) {
                return Verdict.opaque(becauseUnsafe);
            }
            verdict = verdict.and(ofSafe(function, named));
            BuiltInFunctions.Section section = BuiltInFunctions.section(function);
            if (builtIn && section != null) {
                verdict = verdict.and(callHarmless(function, section));
            } else if (section == BuiltInFunctions.Section.MOMENT) {
                verdict = verdict.and(Verdict.MOMENTARY);
            }
        }
        return verdict;
    }

    /**
     * Returns the verdict on the user-defined functions of the name, all of which are safe. A declaration by the user that a
     * function is safe does not mean that it is independent of clock and chance.
     */
    private Verdict ofSafe(String name, DatabaseCatalog.Named named) {
        Verdict verdict = isLasting(name, named) ? Verdict.HARMLESS : Verdict.MOMENTARY;
        return isSameOnPartials(name, named)
                ? verdict
                : verdict.and(Verdict.ofCompleteNodes("may lack what it reads: calls " + name));
    }

    private boolean isLasting(String name, DatabaseCatalog.Named named) {
        for (UserFunction function : named.functions()) {
            if (!lasting(name, function)) {
                return false;
            }
        }
        if (!options.safeFunctions().contains(name)) {
            return true;
        }
        // The user may have declared a built-in function safe that is not, or a function that is not in the catalog.
        BuiltInFunctions.Section section = BuiltInFunctions.section(name);
        return section == null ? !named.functions().isEmpty() : section.lasting();
    }

    /**
     * Whether the user-defined functions of the name return on a partial Satellite what they return on the Master. A declaration by
     * the user that a function is safe does not say which tables it reads, nor does the declaration of an extension's author, unless
     * the function has been reviewed and is arithmetic.
     */
    private boolean isSameOnPartials(String name, DatabaseCatalog.Named named) {
        if (options.safeFunctions().contains(name)) {
            return false;
        }
        for (UserFunction function : named.functions()) {
            if (!function.isImmutableMachineCode()
                    || ExtensionFunctions.section(name, function) != ExtensionFunctions.Section.LASTING) {
                return false;
            }
        }
        return true;
    }

    /** Whether the function's result is independent of clock and chance. */
    private static boolean lasting(String name, UserFunction function) {
        ExtensionFunctions.Section section = ExtensionFunctions.section(name, function);
        return section == null ? isArithmetic(function) : section == ExtensionFunctions.Section.LASTING;
    }

    /**
     * Whether the function counts as arithmetic of a type. IMMUTABLE proves nothing for procedural code, but C code of an
     * extension that is declared IMMUTABLE is such arithmetic. This also applies to extensions that have not been reviewed.
     */
    private static boolean isArithmetic(UserFunction function) {
        return function.immutableC() && !function.extension().isEmpty();
    }

    /** Whether every user-defined function of the name is safe; true if there is none. */
    private boolean functionsSafe(String name, DatabaseCatalog.Named named) {
        if (options.safeFunctions().contains(name)) {
            return true;
        }
        for (UserFunction function : named.functions()) {
            if (!safe(name, function)) {
                return false;
            }
        }
        return true;
    }

    private static boolean safe(String name, UserFunction function) {
        ExtensionFunctions.Section section = ExtensionFunctions.section(name, function);
        return section == null ? isArithmetic(function) : section.harmless();
    }

    private static Verdict unsafe(String name, DatabaseCatalog.Named named, String because) {
        for (UserFunction function : named.functions()) {
            if (ExtensionFunctions.section(name, function) == ExtensionFunctions.Section.HIDDEN) {
                return new Verdict(NotRead.MAY_WRITE, SessionEffect.HIDDEN, because);
            }
        }
        return Verdict.opaque(because);
    }
}
