package io.multimed.endpoint.mysql.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The session's system variables that a read depends on. They follow the session to Satellites. */
final class MysqlVariables {
    /** The isolation level of the session's transactions, under the name that all versions know. */
    static final String ISOLATION = "tx_isolation";

    /** Whether the session's transactions are READ ONLY, unless they say otherwise. Satellites are not told: there all are. */
    private static final String READ_ONLY = "tx_read_only";

    /** Those that the Master is asked for. */
    static final List<String> FOLLOW = List.of(
            "sql_mode",
            "character_set_client",
            "time_zone",
            "lc_time_names",
            "lc_messages",
            "group_concat_max_len",
            "div_precision_increment",
            "default_week_format",
            "sql_select_limit",
            "max_sort_length",
            "max_error_count",
            "max_statement_time",
            "max_join_size",
            "sql_big_selects",
            "max_recursive_iterations",
            "old_mode",
            ISOLATION);

    /**
     * Variables that follow by the statements that have set them: the server keeps more about them than it tells, such as the collation of
     * {@code SET NAMES}, which the definitions of columns show. On another connection they begin with what the client has chosen at its login.
     */
    static final Set<String> CHARACTER_SETS =
            Set.of("character_set_client", "character_set_connection", "character_set_results", "collation_connection");

    private static final int MOST_STATEMENTS = 8;
    private static final Pattern SET_NAMES = Pattern.compile("(?i)\\s*SET\\s+NAMES\\s[^,]*");

    /** Variables on which no read that a Satellite executes depends. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "autocommit",
            "auto_increment_increment",
            "auto_increment_offset",
            "binlog_format",
            "binlog_row_image",
            "bulk_insert_buffer_size",
            "character_set_database",
            "collation_database",
            "check_constraint_checks",
            "completion_type",
            "foreign_key_checks",
            "gtid_domain_id",
            "gtid_seq_no",
            "idle_transaction_timeout",
            "idle_readonly_transaction_timeout",
            "idle_write_transaction_timeout",
            "innodb_lock_wait_timeout",
            "insert_id",
            "interactive_timeout",
            "join_buffer_size",
            "join_cache_level",
            "last_gtid",
            "last_insert_id",
            "redirect_url",
            "lock_wait_timeout",
            "log_slow_query",
            "long_query_time",
            "low_priority_updates",
            "max_heap_table_size",
            "max_length_for_sort_data",
            "net_buffer_length",
            "net_read_timeout",
            "net_retry_count",
            "net_write_timeout",
            "optimizer_prune_level",
            "optimizer_search_depth",
            "optimizer_switch",
            "optimizer_use_condition_selectivity",
            "profiling",
            "query_cache_type",
            "read_buffer_size",
            "read_rnd_buffer_size",
            "skip_parallel_replication",
            "slow_query_log",
            "sort_buffer_size",
            "sql_log_bin",
            "sql_notes",
            "sql_quote_show_create",
            "sql_safe_updates",
            "sql_warnings",
            "tmp_memory_table_size",
            "tmp_table_size",
            "transaction_isolation",
            "transaction_read_only",
            "tx_read_only",
            "unique_checks",
            "updatable_views_with_limit",
            "wait_timeout");

    /** Further variables that another connection to the Master has as this one, or can be told. */
    private static final Set<String> MOVE = Set.of(
            "autocommit",
            "character_set_database",
            "collation_database",
            "last_gtid",
            "last_insert_id",
            "redirect_url",
            "transaction_isolation",
            "transaction_read_only",
            READ_ONLY);

    /** Other names of those of {@link #FOLLOW} and of {@link #READ_ONLY}: after a change, the Master is asked for these. */
    private static final Set<String> OF_TRANSACTIONS =
            Set.of("transaction_isolation", "transaction_read_only", READ_ONLY);

    /** Character sets in which bytes of ASCII are parts of no other characters. */
    private static final Set<String> PLAIN =
            Set.of("'utf8mb4'", "'utf8mb3'", "'utf8'", "'latin1'", "'ascii'", "'binary'", "'latin2'", "'cp1252'");

    /** The release since which names that begin with tx_ cause warnings (MariaDB's manual, transaction_isolation: 11.1.1). */
    private static final int RENAMED_MAJOR = 11;

    private static final int RENAMED_MINOR = 1;
    /** The version in a greeting, which begins with another one that no replica may be older than. */
    private static final Pattern VERSION = Pattern.compile("^(?:5\\.5\\.5-)?(\\d+)\\.(\\d+)\\.");

    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
    private static final Pattern TEXT = Pattern.compile("[ -&(-\\[\\]-~]*");

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> characterSets = new ArrayList<>();
    private int version;
    private int generation;
    private boolean known;
    private boolean followable;
    private boolean readOnly;
    private boolean renamed;

    void clear() {
        values.clear();
        characterSets.clear();
        known = false;
        version++;
        generation++;
    }

    /** Takes over the values that the Master has told, in the order of {@link #expressions}. */
    void take(List<@Nullable String> all) {
        Map<String, String> before = Map.copyOf(values);
        known = true;
        followable = true;
        for (int i = 0; i < FOLLOW.size(); i++) {
            followable &= put(FOLLOW.get(i), all.get(i));
        }
        readOnly = isOn(all.get(FOLLOW.size()));
        if (!values.equals(before)) {
            version++;
        }
    }

    private static boolean isOn(@Nullable String value) {
        return value != null && (value.equals("1") || value.equalsIgnoreCase("ON"));
    }

    /** Whether the session's transactions are READ ONLY, unless they say otherwise. */
    boolean areTransactionsReadOnly() {
        return readOnly;
    }

    /** Whether other engines can be told all values. */
    boolean areFollowable() {
        return followable;
    }

    /**
     * Records that a variable has changed; others may have changed with it.
     *
     * @param value the new one, as the Master tells it
     * @param isExplained whether the statement shows by itself that it sets the variable for longer than itself
     * @return false if the variable cannot follow
     */
    boolean changed(String name, String value, boolean isExplained) {
        if (name.equals(READ_ONLY) || name.equals("transaction_read_only")) {
            readOnly = isOn(value);
            known &= isExplained;
        }
        if (FOLLOW.contains(name) || name.equals("transaction_isolation")) {
            known = false;
            generation++;
        }
        return isAskedOrWithoutEffect(name);
    }

    private boolean put(String name, @Nullable String value) {
        String literal;
        if (value == null) {
            literal = "NULL";
        } else if (NUMBER.matcher(value).matches()) {
            literal = value;
        } else if (TEXT.matcher(value).matches()) {
            literal = "'" + value + "'";
        } else {
            return false;
        }
        values.put(name, literal);
        return true;
    }

    /** Records that the statement has changed character sets. @return false if they cannot follow */
    boolean changedCharacterSet(String statement) {
        SetAssignments assignments = SetAssignments.of(statement);
        String choice = assignments == null ? null : assignments.characterSets();
        if (choice == null || choice.isEmpty()) {
            return false;
        }
        known = false;
        version++;
        generation++;
        if (SET_NAMES.matcher(choice).matches()) {
            characterSets.clear();
        }
        if (characterSets.isEmpty()
                || !characterSets.get(characterSets.size() - 1).equals(choice)) {
            characterSets.add(choice);
        }
        return characterSets.size() <= MOST_STATEMENTS;
    }

    /** Records that variables may have changed without a word. */
    void doubt() {
        known = false;
        generation++;
    }

    /** Whether a change of the variable needs no word of the Master: the variable is asked for, or no read depends on it. */
    static boolean isAskedOrWithoutEffect(String name) {
        return FOLLOW.contains(name) || WITHOUT_EFFECT.contains(name);
    }

    /** Whether the values are those that the session has now. */
    boolean areKnown() {
        return known;
    }

    /** Whether a byte of a statement that looks like a character of ASCII is one. */
    boolean isTextPlain() {
        String charset = values.get("character_set_client");
        return charset != null && PLAIN.contains(charset);
    }

    /** Whether the session's transactions have this isolation level. */
    boolean isIsolation(String level) {
        return ("'" + level + "'").equals(values.get(ISOLATION));
    }

    /** Returns a number that changes with the values. */
    int version() {
        return version;
    }

    /** Records that a statement that failed may have set variables before. They are asked for anyway before they matter. */
    void mayHaveChanged() {
        generation++;
    }

    /** Returns a number that changes whenever the values may have changed, known or not. */
    int generation() {
        return generation;
    }

    /** Returns the statements that set the variables on another connection. */
    List<String> statements() {
        List<String> assignments = new ArrayList<>();
        for (String name : FOLLOW) {
            if (!CHARACTER_SETS.contains(name)) {
                String value = values.get(name);
                // What a Satellite has not committed is no state that the Master has shown.
                boolean isDirty = name.equals(ISOLATION) && "'READ-UNCOMMITTED'".equals(value);
                assignments.add("SESSION " + spelled(name) + "=" + (isDirty ? "'READ-COMMITTED'" : value));
            }
        }
        List<String> all = new ArrayList<>(characterSets);
        all.add("SET " + String.join(", ", assignments));
        return all;
    }

    /** Whether another connection to the Master can be told the variable when it has changed. */
    static boolean moves(String name) {
        return FOLLOW.contains(name) || CHARACTER_SETS.contains(name) || MOVE.contains(name);
    }

    /** Whether another connection to the Master has the variable, or can be told it without having asked for it. */
    static boolean movesUnasked(String name) {
        return MOVE.contains(name) && !FOLLOW.contains(name) && !OF_TRANSACTIONS.contains(name);
    }

    /** Returns the statements that have set character sets since the login, or since the last one that has set all of them. */
    List<String> characterSets() {
        return characterSets;
    }

    /** Whether statements set character sets whatever these were before. */
    static boolean areWhole(List<String> choices) {
        return !choices.isEmpty() && SET_NAMES.matcher(choices.get(0)).matches();
    }

    /** Returns the statements that set the variables on another connection to the Master. */
    List<String> statementsOnMaster() {
        List<String> assignments = new ArrayList<>();
        for (String name : FOLLOW) {
            if (!CHARACTER_SETS.contains(name)) {
                assignments.add("SESSION " + spelled(name) + "=" + values.get(name));
            }
        }
        assignments.add("SESSION " + spelled(READ_ONLY) + "=" + (readOnly ? 1 : 0));
        List<String> all = new ArrayList<>(characterSets);
        all.add("SET " + String.join(", ", assignments));
        return all;
    }

    /** Returns the expressions that read the values. */
    String expressions() {
        List<String> names = new ArrayList<>();
        FOLLOW.forEach(name -> names.add("@@" + spelled(name)));
        names.add("@@" + spelled(READ_ONLY));
        return String.join(", ", names);
    }

    /** Records the version of the engines, as their greetings tell it. */
    void engines(String greeting) {
        Matcher version = VERSION.matcher(greeting);
        renamed = version.find()
                && (Integer.parseInt(version.group(1)) > RENAMED_MAJOR
                        || (Integer.parseInt(version.group(1)) == RENAMED_MAJOR
                                && Integer.parseInt(version.group(2)) >= RENAMED_MINOR));
    }

    /** Returns the name of a variable by which the engines do not warn. A warning would be among those of the client's statements. */
    private String spelled(String name) {
        return renamed && name.startsWith("tx_") ? name.replace("tx_", "transaction_") : name;
    }
}
