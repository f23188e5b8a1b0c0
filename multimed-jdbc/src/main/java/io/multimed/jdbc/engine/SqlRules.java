package io.multimed.jdbc.engine;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules that tell which statements of an engine mean the same when they are executed again on a copy, and which queries change
 * nothing. Each statement is checked word by word; any unknown word is refused. Immutable.
 *
 * <p>Texts are read by the rules that engines share: strings in single quotes, in which a doubled quote stands for one; names in
 * double quotes; comments after {@code --} and between {@code /*} and its counterpart. A token that begins with another sign, such
 * as {@code $} or a backtick, is refused. Multimed must not judge statements of an engine with other rules, for example one in
 * whose strings a backslash escapes a quote.
 *
 * <p>Always refused in changes and definitions: the current moment, user and schema; {@code LIMIT}, {@code OFFSET}, {@code FETCH},
 * {@code OVER}, {@code TABLESAMPLE}; {@code UPDATE … FROM}; parameters in definitions; and objects that only one session has.
 */
public final class SqlRules {
    /** The lists of words. */
    private enum Listed {
        FUNCTIONS,
        QUERY_FUNCTIONS,
        REFUSED_WORDS,
        DEFINITIONS,
        PASSED,
        LOCK_MODES
    }

    /** Other properties that an engine may promise. */
    private enum Trait {
        KNOWS_BEGIN,
        EQUAL_TEXTS_ARE_THE_SAME,
        ANY_WORD_IS_A_TYPE,
        QUERIES_CHANGE_NOTHING
    }

    private static final SqlRules EMPTY = new SqlRules(Map.of(), Set.of());

    private static final SqlRules STANDARD = EMPTY.withFunctions(
                    "ABS CEIL CEILING CHAR_LENGTH CHARACTER_LENGTH COALESCE COUNT EXP EXTRACT FLOOR LENGTH LN LOWER MAX MIN"
                            + " MOD NULLIF OCTET_LENGTH POSITION POWER SQRT SUBSTRING TRIM UPPER")
            .withQueryFunctions(
                    "AVG CUME_DIST DENSE_RANK PERCENT_RANK RANK ROW_NUMBER STDDEV_POP STDDEV_SAMP SUM VAR_POP"
                            + " VAR_SAMP")
            // In this order: the moment and the session; generated keys and numbers; rows by their position; a choice
            // among
            // several rows that match or conflict; objects of one session, and code that runs inside the engine.
            .withRefusedWords("CURRENT NOW SYSDATE SYSTIMESTAMP TODAY TOMORROW YESTERDAY USER")
            .withRefusedWords(
                    "AUTO_INCREMENT AUTOINCREMENT BIGSERIAL CURRVAL IDENTITY NEXT NEXTVAL SEQUENCE SERIAL SMALLSERIAL")
            .withRefusedWords("CTID OID POSITIONAL ROWID ROWNUM SAMPLE TOP _ROWID_")
            .withRefusedWords("ASOF CONFLICT DUPLICATE FAIL IGNORE MERGE REPLACE ROLLBACK")
            .withRefusedWords("RETURNING TEMP TEMP. TEMPORARY TRIGGER VIRTUAL")
            .withDefinitions("CREATE TABLE", "CREATE VIEW", "CREATE INDEX", "CREATE SCHEMA")
            .withDefinitions("DROP TABLE", "DROP VIEW", "DROP INDEX", "DROP SCHEMA", "ALTER TABLE", "TRUNCATE TABLE");

    private final Map<Listed, Set<String>> lists;
    private final Set<Trait> traits;

    private SqlRules(Map<Listed, Set<String>> lists, Set<Trait> traits) {
        this.lists = lists;
        this.traits = traits;
    }

    /** Returns the rules for an unknown engine: {@code INSERT}, {@code UPDATE}, {@code DELETE} and plain definitions. */
    public static SqlRules standard() {
        return STANDARD;
    }

    /** Returns rules without any function or definition, and without refused words that have a meaning only in some engines. */
    public static SqlRules empty() {
        return EMPTY;
    }

    /**
     * Adds functions, and other words such as types that may stand before a parenthesis. They must have no effect and depend on
     * nothing but their arguments: not on the moment, the session, chance, files, or the order of rows.
     *
     * @param names separated by blanks, in any case
     */
    public SqlRules withFunctions(String names) {
        return with(Listed.FUNCTIONS, words(names));
    }

    /** Adds functions that have no effect, but may return another value on a copy. Queries may call them, changes may not. */
    public SqlRules withQueryFunctions(String names) {
        return with(Listed.QUERY_FUNCTIONS, words(names));
    }

    /**
     * Adds words that no change or definition may contain, except as names in quotes or after a dot. A word with a dot at its end
     * is a name that must not stand before a dot, in quotes or not. {@code NOW}, {@code TODAY}, {@code TOMORROW} and
     * {@code YESTERDAY} must not be string values either, because some engines convert these to that moment.
     */
    public SqlRules withRefusedWords(String words) {
        return with(Listed.REFUSED_WORDS, words(words));
    }

    /** Removes words from the refused ones, because in this engine they have no meaning that could differ. */
    public SqlRules withoutRefusedWords(String words) {
        Set<String> allowed = words(words);
        return of(
                Listed.REFUSED_WORDS,
                lists(Listed.REFUSED_WORDS).stream()
                        .filter(Predicate.not(allowed::contains))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * Adds definitions by their beginning: {@code "CREATE ROLE"}. {@code OR REPLACE} and {@code UNIQUE} may stand in between. With
     * {@code "CREATE TRIGGER"} the statements of their bodies are judged as well.
     */
    public SqlRules withDefinitions(String... beginnings) {
        return with(Listed.DEFINITIONS, phrases(beginnings));
    }

    /** Adds statements, by their beginning, that change nothing and are executed on the Master alone: {@code "LOCK TABLE"}. */
    public SqlRules withPassed(String... beginnings) {
        return with(Listed.PASSED, phrases(beginnings));
    }

    /**
     * Declares that the engine knows {@code BEGIN} and {@code END}. Multimed then begins and ends the transaction.
     *
     * @param lockModes words after {@code BEGIN} for which {@link JdbcEngine#lock} is called
     */
    public SqlRules withTransactions(String... lockModes) {
        return with(Listed.LOCK_MODES, phrases(lockModes)).with(Trait.KNOWS_BEGIN);
    }

    /**
     * Declares that equal texts are identical, including trailing blanks and case. Then {@code DISTINCT}, {@code GROUP BY},
     * {@code UNION}, and {@code MAX} and {@code MIN} of texts leave no choice to the engine.
     */
    public SqlRules withEqualTextsTheSame() {
        return with(Trait.EQUAL_TEXTS_ARE_THE_SAME);
    }

    /** Declares that any word after the name of a column is a type: {@code CREATE TABLE T(A WORD(10))}. */
    public SqlRules withAnyWordAsType() {
        return with(Trait.ANY_WORD_IS_A_TYPE);
    }

    /** Declares that no query can change anything. Unknown queries then run on the Master instead of being refused. */
    public SqlRules withHarmlessQueries() {
        return with(Trait.QUERIES_CHANGE_NOTHING);
    }

    /** Whether a change may call the function, given by its name in upper case. */
    public boolean mayChange(String function) {
        return lists(Listed.FUNCTIONS).contains(function);
    }

    /** Whether a query may call the function on any node, given by its name in upper case. */
    public boolean mayQuery(String function) {
        return mayChange(function) || lists(Listed.QUERY_FUNCTIONS).contains(function);
    }

    /** Returns all functions that queries may call. */
    public Set<String> queryable() {
        return union(lists(Listed.FUNCTIONS), lists(Listed.QUERY_FUNCTIONS));
    }

    /** Whether changes must not contain the word, given in upper case. */
    public boolean refuses(String word) {
        return lists(Listed.REFUSED_WORDS).contains(word);
    }

    /** Whether a definition may begin like this. */
    public boolean defines(String beginning) {
        return lists(Listed.DEFINITIONS).contains(beginning);
    }

    /** Whether a statement with this beginning changes nothing and is executed on the Master. */
    public boolean passes(String beginning) {
        return lists(Listed.PASSED).contains(beginning);
    }

    public boolean knowsBegin() {
        return traits.contains(Trait.KNOWS_BEGIN);
    }

    /** Whether {@code BEGIN} with that word locks the database. */
    public boolean locks(String mode) {
        return lists(Listed.LOCK_MODES).contains(mode);
    }

    public boolean equalTextsAreTheSame() {
        return traits.contains(Trait.EQUAL_TEXTS_ARE_THE_SAME);
    }

    public boolean anyWordIsType() {
        return traits.contains(Trait.ANY_WORD_IS_A_TYPE);
    }

    public boolean queriesChangeNothing() {
        return traits.contains(Trait.QUERIES_CHANGE_NOTHING);
    }

    private Set<String> lists(Listed listed) {
        return lists.getOrDefault(listed, Set.of());
    }

    private SqlRules with(Listed listed, Set<String> more) {
        return of(listed, union(lists(listed), more));
    }

    private SqlRules of(Listed listed, Set<String> all) {
        Map<Listed, Set<String>> changed = new EnumMap<>(Listed.class);
        changed.putAll(lists);
        changed.put(listed, all);
        return new SqlRules(changed, traits);
    }

    private SqlRules with(Trait trait) {
        Set<Trait> more = EnumSet.of(trait);
        more.addAll(traits);
        return new SqlRules(lists, more);
    }

    private static Set<String> words(String words) {
        return Stream.of(words.toUpperCase(Locale.ROOT).split("\\s+"))
                .filter(Predicate.not(String::isEmpty))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> phrases(String... phrases) {
        return Arrays.stream(phrases)
                .map(phrase -> phrase.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", " "))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
    }
}
