package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the statements of the resource files against their expected classifications. */
class StatementClassifierTest {
    private static final StatementClassifier CLASSIFIER =
            new StatementClassifier(ClassifierOptions.DEFAULT.withSafeFunctions(Set.of("declared_safe")));

    /** A database with some objects of each kind that changes the meaning of names. */
    private static final DatabaseCatalog CATALOG = new DatabaseCatalog.Builder()
            .row("function", "user_function", "vo")
            .row("function", "immutable_function", "io")
            .row("function", "declared_safe", "vo")
            .row("function", "lower", "io")
            .row("function", "trigger_guard", "so")
            .row("function", "citext_eq", "iccitext")
            .row("function", "levenshtein", "icfuzzystrmatch")
            .row("function", "similarity", "scpg_trgm\ntext,text")
            .row("function", "set_limit", "vcpg_trgm\nfloat4")
            .row("function", "crosstab", "sctablefunc\ntext")
            .row("function", "gtin_in", "scgtin")
            .row("function", "größe", "vo")
            .row("operator", "===", "user_function")
            .row("operator", "=", "citext_eq")
            .row("operator", "&&&", "declared_safe")
            .row("operator", "<@>", "levenshtein")
            .row("operator", "~~~~", "age")
            .row("definition", "plain_view", " SELECT t.a, count(*) AS n FROM t GROUP BY t.a;")
            .row("definition", "view_of_view", "SELECT * FROM plain_view;")
            .row("definition", "calling_view", " SELECT user_function(t.a) AS f FROM t;")
            .row("definition", "view_of_calling_view", "SELECT * FROM s.calling_view;")
            .row("definition", "activity_view", "SELECT count(*) FROM pg_stat_activity;")
            .row("definition", "sequence_view", "SELECT last_value FROM counter;")
            .row("definition", "ring_a", "SELECT * FROM other.ring_b")
            .row("definition", "ring_b", "SELECT * FROM other.ring_a UNION SELECT user_function(1)")
            .row("definition", "secured", "SELECT (owner = CURRENT_USER)")
            .row("definition", "tenant_secured", "SELECT (tenant = current_setting('app.tenant'::text))")
            .row("definition", "positive", "SELECT (VALUE > 0)")
            .row("definition", "checked_domain", "SELECT user_function(VALUE)")
            .row("function", "uuid_generate_v4", "vcuuid-ossp")
            .row("function", "min", "iicitext\ncitext")
            .row("function", "min", "iccube")
            .row("function", "random", "iccube")
            .row("definition", "moment_view", "SELECT t.a FROM t WHERE (t.until > now())")
            .row("definition", "view_of_moment_view", "SELECT * FROM moment_view")
            .row("definition", "today_view", "SELECT CURRENT_DATE AS today")
            .row("definition", "safe_view", "SELECT declared_safe(1) AS x")
            .row("definition", "zones_view", "SELECT name FROM pg_timezone_names")
            .row("definition", "not_expired", "SELECT (expires > CURRENT_TIMESTAMP)")
            .row("definition", "past", "SELECT (VALUE < now())")
            .row("uses", "past_events", "past")
            .row("calls", "clocked", "declared_safe")
            .row("calls", "clocked_table", "declared_safe")
            .row("calls", "gtin", "gtin_in")
            .row("calls", "products", "gtin_in")
            .row("calls", "citext", "citext_eq")
            .row("hook", "audited", "user_function")
            .row("hook", "ruled", "*")
            .row("hook", "guarded", "declared_safe")
            .row("definition", "audited_view", "SELECT * FROM audited")
            .row("uses", "limited_orders", "checked_domain")
            .row("uses", "split_table", "split_1")
            .row("uses", "split_1", "unlogged_table")
            .row("writes", "parent", "audited")
            .row("master", "counter", null)
            .row("master", "unlogged_table", null)
            .build();

    @AfterAll
    static void close() {
        CLASSIFIER.close();
    }

    static List<StatementFile.Case> statements() {
        return StatementFile.read("statements.txt");
    }

    static List<StatementFile.Case> applications() {
        return StatementFile.read("applications.txt");
    }

    static List<StatementFile.Case> psql() {
        return StatementFile.read("psql.txt");
    }

    @ParameterizedTest
    @MethodSource("statements")
    void takesStatementsForWhatTheyAre(StatementFile.Case statement) {
        check(statement);
    }

    @ParameterizedTest
    @MethodSource("applications")
    void knowsWhatApplicationsSay(StatementFile.Case statement) {
        check(statement);
    }

    @ParameterizedTest
    @MethodSource("psql")
    void knowsWhatPsqlAsksItsServer(StatementFile.Case statement) {
        check(statement);
    }

    private static void check(StatementFile.Case statement) {
        ClassifiedSql classified = Classifications.classify(CLASSIFIER, statement.sql(), CATALOG);
        assertEquals(
                statement.expected(),
                Classifications.describe(classified),
                () -> classified.because() + ": " + statement.sql());
    }
}
