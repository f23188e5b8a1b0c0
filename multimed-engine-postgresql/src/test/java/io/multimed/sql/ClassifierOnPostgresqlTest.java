package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.CopyProgress;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.catalog.CatalogReader;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.engine.postgresql.cluster.SatelliteConfig;
import io.multimed.engine.postgresql.cluster.TestMaster;
import io.multimed.engine.postgresql.process.CoreBinding;
import io.multimed.model.NodeId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The classifier's lists and rules against the engines that they are about. */
@ParameterizedClass
@MethodSource("releases")
class ClassifierOnPostgresqlTest {
    private static final Path CORPORA = Path.of("../multimed-sql/src/test/resources/io/multimed/sql");

    private static Path temp;
    private static TestMaster master;
    private static SatelliteCluster satellite;
    private static StatementClassifier classifier;

    ClassifierOnPostgresqlTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @BeforeParameterizedClassInvocation
    static void startEngines(EngineBinaries binaries) throws Exception {
        temp = TestEngines.directory();
        master = TestMaster.start(temp, binaries);
        master.execute("""
                CREATE TABLE t (a int PRIMARY KEY, b int, c text, d jsonb, e text[], "b c" numeric);
                INSERT INTO t SELECT g, g % 7, 'c' || g, '{"x": 1}', ARRAY['e'], g / 3.0 FROM generate_series(1, 100) g;
                CREATE VIEW good_view AS SELECT a, b FROM t;
                """);
        satellite = new SatelliteCluster(
                new SatelliteConfig(
                        NodeId.satellite(1),
                        binaries,
                        TestEngines.user(),
                        temp.resolve("satellite-1"),
                        false,
                        temp.resolve("run-satellite"),
                        temp.resolve("log/satellite.log"),
                        master.cluster().address(),
                        CoreBinding.NONE,
                        256L << 20,
                        10,
                        SatelliteConfig.LONG_READER,
                        Map.of()),
                master.cluster());
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});
        master.awaitReplay(satellite.address());
        classifier = new StatementClassifier(ClassifierOptions.DEFAULT);
    }

    @AfterParameterizedClassInvocation
    static void endEngines() throws Exception {
        if (classifier != null) {
            classifier.close();
        }
        if (satellite != null) {
            satellite.kill();
        }
        if (master != null) {
            master.close();
        }
        TestEngines.delete(temp);
    }

    private static List<List<String>> rows(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            List<List<String>> rows = new ArrayList<>();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    private static List<List<String>> rows(String query) throws SQLException {
        try (Connection connection = master.connect()) {
            return rows(connection, query);
        }
    }

    private static Set<String> names(String query) throws SQLException {
        Set<String> names = new TreeSet<>();
        rows(query).forEach(row -> names.add(row.get(0)));
        return names;
    }

    private static ClassifiedSql classify(String sql, DatabaseCatalog catalog) throws Exception {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        ClassifiedSql known = classifier.classify(bytes, 0, bytes.length, catalog);
        if (known != null) {
            return known;
        }
        CompletableFuture<ClassifiedSql> future = new CompletableFuture<>();
        classifier.whenClassified(bytes, 0, bytes.length, catalog, Runnable::run, future::complete);
        return future.get(30, TimeUnit.SECONDS);
    }

    // --- lists

    @Test
    void everyFunctionOfTheServerStandsInTheList() throws Exception {
        Map<String, String> volatilities = new TreeMap<>();
        for (List<String> row : rows("SELECT proname, provolatile FROM pg_proc"
                + " WHERE pronamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)")) {
            volatilities.merge(row.get(0), row.get(1), String::concat);
        }
        Set<String> missing = new TreeSet<>(volatilities.keySet());
        missing.removeAll(BuiltInFunctions.all().keySet());
        assertEquals(Set.of(), missing);
        Set<String> notImmutable = new TreeSet<>();
        volatilities.forEach((name, volatility) -> {
            boolean listed = BuiltInFunctions.section(name) == BuiltInFunctions.Section.IMMUTABLE;
            if (listed && !volatility.matches("i+")) {
                notImmutable.add(name);
            }
        });
        assertEquals(Set.of(), notImmutable, "must stand in a reviewed section");
    }

    @Test
    void theListHoldsNoFunctionThatTheServerDoesNotHave() throws Exception {
        if (master.binaries().major() < 18) {
            return;
        }
        Set<String> unknown = new TreeSet<>(BuiltInFunctions.all().keySet());
        unknown.removeAll(names("SELECT proname FROM pg_proc"));
        // Those of earlier releases that are supported.
        unknown.removeIf(name -> name.startsWith("pg_stat_get_bgwriter_")
                || name.startsWith("pg_stat_get_buf_")
                || name.startsWith("pg_stat_get_checkpoint")
                || Set.of(FORMER.split(" ")).contains(name));
        assertEquals(Set.of(), unknown);
    }

    private static final String FORMER =
            "interval_accum interval_accum_inv interval_combine pg_read_file_old pg_rotate_logfile_old pg_timezone_abbrevs";

    @Test
    void noRefusedFunctionCanBeCalledWithoutParentheses() throws Exception {
        Set<String> callable = names("SELECT proname FROM pg_proc p JOIN pg_type t ON t.oid = p.proargtypes[0]"
                + " WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.pronargs - p.pronargdefaults <= 1"
                + " AND p.prokind <> 'p' AND (t.typtype = 'c' OR t.typname IN ('record', 'anyelement', 'any',"
                + " 'anynonarray', 'anycompatible', 'anycompatiblenonarray'))");
        Names names = new Names(DatabaseCatalog.EMPTY, ClassifierOptions.DEFAULT);
        callable.removeIf(name -> BuiltInFunctions.harmless(name)
                || !names.functionalNotation(name).harmless());
        assertEquals(Set.of(), callable);
    }

    @Test
    void noOperatorOrCastRunsARefusedFunction() throws Exception {
        Set<String> functions = names("SELECT proname FROM pg_proc"
                + " WHERE oid IN (SELECT oprcode FROM pg_operator UNION SELECT castfunc FROM pg_cast)");
        functions.removeIf(BuiltInFunctions::harmless);
        assertEquals(Set.of(), functions);
    }

    @Test
    void wordsOfTheLanguageNameNoRefusedFunction() throws Exception {
        Set<String> functions = names("SELECT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace");
        functions.retainAll(KeyWords.constructsThatMayNameFunctions());
        functions.removeIf(BuiltInFunctions::harmless);
        assertEquals(Set.of(), functions);
    }

    @Test
    void keyWordsAreThoseOfTheServer() throws Exception {
        Set<String> wrong = new TreeSet<>();
        for (List<String> row : rows("SELECT word, catcode FROM pg_get_keywords()")) {
            String word = row.get(0);
            boolean reserved = row.get(1).equals("R");
            if (!KeyWords.isKeyWord(word) || KeyWords.isReserved(word) && !reserved) {
                wrong.add(word + " " + row.get(1));
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void relationsOfTheSystemReadNothingOfTheNode() throws Exception {
        Names names = new Names(DatabaseCatalog.EMPTY, ClassifierOptions.DEFAULT);
        Judge judge = new Judge(names, false);
        Set<String> wrong = new TreeSet<>();
        for (List<String> row :
                rows("SELECT c.relname, n.nspname, CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END"
                        + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')")) {
            String name = row.get(0);
            boolean allowed = row.get(1).equals("information_schema") || !SystemRelations.masterOnly(name);
            if (row.get(2) == null) {
                if (!allowed) {
                    wrong.add(name + " is a table but not listed");
                }
            } else if (allowed) {
                Verdict verdict = judge.judgeDefinition(Tokens.of(row.get(2)).withoutSemicolon());
                if (!verdict.harmless()) {
                    wrong.add(name + " " + verdict.because());
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    // --- the catalog of a database

    @Test
    void findsWhatRunsUnnamed() throws Exception {
        master.execute("CREATE DATABASE shop");
        try (Connection shop = AdminConnection.open(master.cluster().address(), "postgres", "shop")) {
            try (var statement = shop.createStatement()) {
                statement.execute("SET synchronous_commit = local");
                statement.execute("""
                        CREATE EXTENSION citext;
                        CREATE EXTENSION hstore;
                        CREATE EXTENSION postgres_fdw;
                        CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
                        CREATE FUNCTION trig() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                        CREATE FUNCTION flag_in(text) RETURNS int LANGUAGE sql AS 'SELECT 1';
                        CREATE TABLE plain (a int PRIMARY KEY, b text);
                        CREATE TABLE named (a int PRIMARY KEY, b citext, c hstore);
                        CREATE TABLE with_serial (a serial PRIMARY KEY);
                        CREATE TABLE with_default (a int DEFAULT f(1));
                        CREATE TABLE with_check (a int CHECK (f(a) > 0));
                        CREATE TABLE with_index (a int);
                        CREATE INDEX ON with_index (f(a));
                        CREATE TABLE with_trigger (a int);
                        CREATE TRIGGER tr BEFORE INSERT ON with_trigger FOR EACH ROW EXECUTE FUNCTION trig();
                        CREATE TABLE parent (a int PRIMARY KEY);
                        CREATE TABLE child (a int REFERENCES parent ON DELETE CASCADE);
                        CREATE TRIGGER tr AFTER DELETE ON child FOR EACH ROW EXECUTE FUNCTION trig();
                        CREATE TABLE split (a int, b int) PARTITION BY RANGE (a);
                        CREATE TABLE split_1 PARTITION OF split FOR VALUES FROM (0) TO (10);
                        CREATE TRIGGER tr BEFORE INSERT ON split_1 FOR EACH ROW EXECUTE FUNCTION trig();
                        CREATE UNLOGGED TABLE fleeting (a int);
                        CREATE TABLE heir_of (a int);
                        CREATE UNLOGGED TABLE fleeting_heir () INHERITS (heir_of);
                        CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw;
                        CREATE FOREIGN TABLE foreign_table (a int) SERVER far;
                        CREATE TABLE secured (a int, owner text);
                        ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
                        CREATE POLICY p ON secured USING (f(a) = 1);
                        CREATE DOMAIN positive AS int CHECK (VALUE > 0);
                        CREATE DOMAIN odd AS int CHECK (f(VALUE) = 1);
                        CREATE TYPE pair AS (a odd, b int);
                        CREATE TYPE mood AS ENUM ('sad', 'ok');
                        CREATE TABLE moods (m mood, p positive);
                        CREATE VIEW plain_view AS SELECT a FROM plain;
                        CREATE VIEW calling AS SELECT f(a) AS x FROM plain;
                        CREATE VIEW calling_2 AS SELECT * FROM calling;
                        CREATE MATERIALIZED VIEW kept AS SELECT f(a) AS x FROM plain;
                        CREATE VIEW triggering AS SELECT * FROM with_trigger;
                        CREATE OPERATOR <<<< (FUNCTION = f, RIGHTARG = int);
                        """);
            }
            DatabaseCatalog catalog = CatalogReader.read(shop);
            Map<String, String> expected = new TreeMap<>();
            for (String line : """
                    SELECT * FROM plain WHERE a = 1 AND b IN ('x') : read
                    SELECT * FROM plain_view : read
                    SELECT b, c -> 'x' FROM named WHERE b = 'x' : read
                    SELECT * FROM with_serial JOIN with_default USING (a) JOIN with_check USING (a) : read
                    SELECT * FROM with_index, with_trigger, split, parent, child : read
                    SELECT * FROM moods WHERE m = 'sad'::mood AND p = 1::positive : read
                    SELECT * FROM kept : read
                    SELECT count(*) FROM information_schema.columns : read
                    SELECT * FROM with_serial_a_seq : MASTER_ONLY NONE
                    SELECT * FROM fleeting : MASTER_ONLY NONE
                    SELECT * FROM heir_of : MASTER_ONLY NONE
                    SELECT * FROM foreign_table : MASTER_ONLY NONE
                    SELECT f(1) : MAY_WRITE OPAQUE
                    SELECT <<<< 1 : MAY_WRITE OPAQUE
                    SELECT * FROM calling : MAY_WRITE OPAQUE
                    SELECT * FROM calling_2 : MAY_WRITE OPAQUE
                    SELECT * FROM secured : MAY_WRITE OPAQUE
                    SELECT 1::odd : MAY_WRITE OPAQUE
                    SELECT '(1,2)'::pair : MAY_WRITE OPAQUE
                    SELECT '{1}'::odd[] : MAY_WRITE OPAQUE
                    INSERT INTO plain VALUES (1) : WRITES NONE
                    INSERT INTO with_serial DEFAULT VALUES : WRITES NONE
                    INSERT INTO named VALUES (1, 'x', 'a=>1') : WRITES NONE
                    INSERT INTO plain_view VALUES (1) : WRITES NONE
                    UPDATE moods SET m = 'ok' : WRITES NONE
                    INSERT INTO with_default DEFAULT VALUES : MAY_WRITE OPAQUE
                    INSERT INTO with_check VALUES (1) : MAY_WRITE OPAQUE
                    INSERT INTO with_index VALUES (1) : MAY_WRITE OPAQUE
                    INSERT INTO with_trigger VALUES (1) : MAY_WRITE OPAQUE
                    INSERT INTO triggering VALUES (1) : MAY_WRITE OPAQUE
                    DELETE FROM parent : MAY_WRITE OPAQUE
                    INSERT INTO split VALUES (1, 1) : MAY_WRITE OPAQUE
                    INSERT INTO secured VALUES (1, 'x') : MAY_WRITE OPAQUE
                    """.split("\n")) {
                expected.put(line.substring(0, line.lastIndexOf(" : ")), line.substring(line.lastIndexOf(" : ") + 3));
            }
            Map<String, String> found = new TreeMap<>();
            for (String sql : expected.keySet()) {
                Statement statement = classify(sql, catalog).statements().get(0);
                found.put(sql, statement instanceof Statement.Update u ? u.reason() + " " + u.effect() : "read");
            }
            assertEquals(expected, found);
        }
    }

    @Test
    void castsBetweenBuiltInTypesCountEverywhere() throws Exception {
        master.execute("CREATE DATABASE casting");
        try (Connection casting = AdminConnection.open(master.cluster().address(), "postgres", "casting")) {
            DatabaseCatalog before = CatalogReader.read(casting);
            assertTrue(classify("SELECT 1", before).isSingleRead());
            casting.createStatement().execute("SET synchronous_commit = local");
            casting.createStatement()
                    .execute("CREATE FUNCTION c(point) RETURNS int LANGUAGE sql AS 'SELECT 1';"
                            + "CREATE CAST (point AS int) WITH FUNCTION c(point) AS IMPLICIT");
            assertEquals(
                    NotRead.MAY_WRITE,
                    ((Statement.Update) classify("SELECT 1", CatalogReader.read(casting))
                                    .statements()
                                    .get(0))
                            .reason());
        }
    }

    // --- behaviour

    /** What a statement answers: an SQLSTATE, or how many rows. */
    private static String outcome(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.setQueryTimeout(20);
            boolean more = statement.execute(sql);
            StringBuilder outcome = new StringBuilder();
            while (more || statement.getUpdateCount() >= 0) {
                int rows = 0;
                if (more) {
                    try (ResultSet result = statement.getResultSet()) {
                        while (result.next()) {
                            rows++;
                        }
                    }
                }
                outcome.append(more ? rows + " rows " : "done ");
                more = statement.getMoreResults();
            }
            return outcome.toString();
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    private static List<String> corpus(String file) throws Exception {
        List<String> statements = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        for (String line : Files.readAllLines(CORPORA.resolve(file))) {
            if (sql.isEmpty() && (line.isBlank() || line.startsWith("#"))) {
                continue;
            }
            int arrow = line.lastIndexOf("-->");
            sql.append(line, 0, arrow < 0 ? line.length() : arrow).append('\n');
            if (arrow >= 0) {
                statements.add(sql.toString());
                sql.setLength(0);
            }
        }
        return statements;
    }

    @Test
    void readsAnswerOnASatelliteAsOnTheMasterAndLeaveNothing() throws Exception {
        List<String> statements = new ArrayList<>();
        for (String file : List.of("statements.txt", "applications.txt", "psql.txt")) {
            statements.addAll(corpus(file));
        }
        for (int seed = 0; seed < 200; seed++) {
            statements.add(new QueryMaker(new Random(seed)).query());
        }
        Map<String, String> differing = new TreeMap<>();
        int executed = 0;
        int answered = 0;
        try (Connection onMaster = master.connect();
                Connection onSatellite = AdminConnection.open(satellite.address(), "postgres", "postgres")) {
            DatabaseCatalog catalog = CatalogReader.read(onMaster);
            String leftBefore = left(onSatellite);
            for (String sql : statements) {
                // COPY needs a driver that plays along, parameters a Parse message; samples are random.
                if (!classify(sql, catalog).isReadOnly()
                        || sql.matches("(?s).*\\$\\d.*|(?i)\\s*copy.*|(?is).*tablesample.*")) {
                    continue;
                }
                executed++;
                String there = outcome(onSatellite, sql);
                String here = outcome(onMaster, sql);
                answered += there.contains("rows") ? 1 : 0;
                if (!here.equals(there) || here.equals("25006")) {
                    differing.put(sql, here + " but " + there);
                }
            }
            assertEquals(leftBefore, left(onSatellite));
        }
        assertEquals(Map.of(), differing);
        assertTrue(executed > 250 && answered > 150, executed + " executed, " + answered + " answered");
    }

    /** What a session may have left behind in its backend. */
    private static String left(Connection connection) throws SQLException {
        return rows(
                        connection,
                        "SELECT (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'),"
                                + " pg_my_temp_schema(), (SELECT count(*) FROM pg_cursors WHERE is_holdable),"
                                + " (SELECT count(*) FROM pg_listening_channels()),"
                                + " (SELECT count(*) FROM pg_prepared_statements WHERE from_sql),"
                                + " (SELECT md5(string_agg(name || setting, ' ' ORDER BY name)) FROM pg_settings"
                                + " WHERE context IN ('user', 'superuser'))")
                .toString();
    }

    /** What our lexer cuts and puts together again must mean the same to the server. */
    @Test
    void cutsTokensAsTheServerDoes() throws Exception {
        master.execute("CREATE OR REPLACE FUNCTION answer(sql text) RETURNS text LANGUAGE plpgsql AS $$"
                + " DECLARE r record; BEGIN EXECUTE sql INTO r; RETURN r::text;"
                + " EXCEPTION WHEN OTHERS THEN RETURN 'error ' || SQLSTATE; END $$");
        Random random = new Random(1);
        String[] parts = {
            "'",
            "''",
            "'a'",
            "\\",
            "\\\\",
            "\\'",
            "\"",
            "\"b\"",
            "$",
            "$$",
            "$t$",
            "--",
            "/*",
            "*/",
            "\n",
            "\r",
            " ",
            "\t",
            "E'",
            "e'\\''",
            "U&'",
            "B'1'",
            "x'1F'",
            "N'n'",
            "1",
            "2.",
            ".5",
            "e1",
            "0x1f",
            "0b",
            "_1",
            "..",
            "1_0",
            "a",
            "as b",
            ",",
            "+",
            "-",
            "*",
            "/",
            "%",
            "@",
            "|",
            "||",
            "::text",
            "::int",
            ":",
            "=",
            "<>",
            "!=",
            "<=",
            "(",
            ")",
            "[1]",
            "é",
            "null",
            "1::int",
            "'x'::text"
        };
        int accepted = 0;
        try (Connection connection = master.connect();
                PreparedStatement ask = connection.prepareStatement("SELECT answer(?), answer(?)")) {
            for (int i = 0; i < 30_000; i++) {
                StringBuilder soup = new StringBuilder("SELECT ").append(i % 3 == 0 ? "" : "1, ");
                for (int j = random.nextInt(9); j >= 0; j--) {
                    soup.append(parts[random.nextInt(parts.length)]);
                }
                byte[] bytes = soup.toString().getBytes(StandardCharsets.UTF_8);
                Tokens tokens = Tokens.complete(bytes, 0, bytes.length);
                if (tokens.erroneous()) {
                    continue;
                }
                StringBuilder again = new StringBuilder();
                for (int j = 0; j < tokens.size(); j++) {
                    Token token = tokens.get(j);
                    String text = new String(bytes, token.start(), token.end() - token.start(), StandardCharsets.UTF_8);
                    again.append(token.kind() == Lexer.QUOTED ? '"' + text + '"' : text)
                            .append(' ');
                }
                ask.setString(1, soup.toString());
                ask.setString(2, again.toString());
                try (ResultSet result = ask.executeQuery()) {
                    result.next();
                    assertEquals(result.getString(1), result.getString(2), () -> soup + "\n" + again);
                    accepted +=
                            result.getString(1) == null || !result.getString(1).startsWith("error") ? 1 : 0;
                }
            }
        }
        assertTrue(accepted > 500, "the server accepted only " + accepted);
    }

    /** Random queries on the test's own table, all of which the server can execute. */
    private static final class QueryMaker {
        private final Random random;

        QueryMaker(Random random) {
            this.random = random;
        }

        String query() {
            return "SELECT " + number(0) + ", count(*) FILTER (WHERE " + condition() + "), sum(" + number(0) + ") FROM "
                    + table() + " WHERE " + condition() + " GROUP BY a, b ORDER BY 1, 2, 3 LIMIT 20";
        }

        private String table() {
            return List.of(
                            "t",
                            "good_view",
                            "public.t AS t",
                            "(SELECT * FROM t WHERE b > 2) AS t",
                            "(TABLE good_view) q(a, b)")
                    .get(random.nextInt(5));
        }

        private String number(int depth) {
            switch (depth > 3 ? random.nextInt(3) : random.nextInt(8)) {
                case 0:
                    return "a";
                case 1:
                    return "b";
                case 2:
                    return String.valueOf(random.nextInt(9));
                case 3:
                    return "(" + number(depth + 1) + " + " + number(depth + 1) + ")";
                case 4:
                    return "greatest(" + number(depth + 1) + ", abs(-" + number(depth + 1) + "))";
                case 5:
                    return "CASE WHEN a > 50 THEN " + number(depth + 1) + " ELSE 0 END";
                case 6:
                    return "coalesce(nullif(" + number(depth + 1) + ", 3), length('x' || a::text))";
                default:
                    return "(SELECT count(*)::int FROM t AS u WHERE u.b = " + random.nextInt(7) + ")";
            }
        }

        private String condition() {
            return List.of(
                            "a IN (1, 2, 3, b)",
                            "a BETWEEN 3 AND 90",
                            "a::text LIKE '1%'",
                            "NOT (b = 3 AND a <> 4)",
                            "EXISTS (SELECT 1 FROM t v WHERE v.b > 5)",
                            "(a, b) IN (SELECT a, b FROM good_view)",
                            "b = ANY (ARRAY[1, 2, 3])")
                    .get(random.nextInt(7));
        }
    }
}
