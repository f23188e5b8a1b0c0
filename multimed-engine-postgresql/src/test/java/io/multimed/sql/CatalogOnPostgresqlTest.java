package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.catalog.CatalogReader;
import java.sql.Connection;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The classifier's reading of a database's catalog: the code that its objects run. */
@Tag("slow")
class CatalogOnPostgresqlTest extends OnEachPostgresql {
    CatalogOnPostgresqlTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

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
                        CREATE VIEW unexpired AS SELECT a FROM plain WHERE now() > '2000-01-01';
                        CREATE VIEW unexpired_2 AS SELECT * FROM unexpired;
                        CREATE VIEW today AS SELECT current_date AS d;
                        CREATE VIEW sample AS SELECT a FROM plain TABLESAMPLE bernoulli (50);
                        CREATE TABLE expiring (a int, until timestamptz);
                        ALTER TABLE expiring ENABLE ROW LEVEL SECURITY;
                        CREATE POLICY p ON expiring USING (until > CURRENT_TIMESTAMP);
                        CREATE DOMAIN past AS timestamptz CHECK (VALUE < now());
                        CREATE TABLE events (happened past);
                        CREATE OPERATOR <<<< (FUNCTION = f, RIGHTARG = int);
                        CREATE FUNCTION oddly(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 - $2';
                        CREATE OPERATOR CLASS odd_order FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=,
                            OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 oddly(int, int);
                        CREATE TABLE oddly_indexed (a int);
                        CREATE INDEX ON oddly_indexed (a odd_order);
                        CREATE TABLE oddly_split (a int) PARTITION BY LIST (a odd_order);
                        """);
            }
            DatabaseCatalog catalog = CatalogReader.read(shop);
            Map<String, String> expected = new TreeMap<>();
            for (String line : """
                    SELECT * FROM plain WHERE a = 1 AND b IN ('x') : read
                    SELECT * FROM plain_view : read
                    SELECT * FROM unexpired : read momentary
                    SELECT * FROM unexpired_2 : read momentary
                    SELECT * FROM today : read momentary
                    SELECT * FROM sample : read momentary
                    SELECT * FROM expiring : read momentary
                    SELECT 1::past : read momentary
                    SELECT * FROM events : read momentary
                    SELECT * FROM pg_timezone_names : read momentary
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
                    SELECT * FROM oddly_indexed WHERE a < 1 : MAY_WRITE OPAQUE
                    SELECT * FROM oddly_split WHERE a = 1 : MAY_WRITE OPAQUE
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
                found.put(
                        sql,
                        switch (statement) {
                            case Statement.Update u -> u.reason() + " " + u.effect();
                            case Statement.Read read -> read.momentary() ? "read momentary" : "read";
                            default -> statement.toString();
                        });
            }
            assertEquals(expected, found);
        }
    }

    @Test
    void castsBetweenBuiltInTypesCountEverywhere() throws Exception {
        countsEverywhere("casting", """
                CREATE FUNCTION c(point) RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE CAST (point AS int) WITH FUNCTION c(point) AS IMPLICIT
                """);
    }

    @Test
    void orderOfABuiltInTypeThatHasNoneCountsEverywhere() throws Exception {
        countsEverywhere("ordering", """
                CREATE FUNCTION same(json, json) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT $1::text = $2::text';
                CREATE FUNCTION hashed(json) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
                CREATE OPERATOR ==== (FUNCTION = same, LEFTARG = json, RIGHTARG = json);
                CREATE OPERATOR CLASS json_hash DEFAULT FOR TYPE json USING hash AS OPERATOR 1 ====, FUNCTION 1 hashed(json)
                """);
    }

    private void countsEverywhere(String database, String definitions) throws Exception {
        master.execute("CREATE DATABASE " + database);
        try (Connection connection = AdminConnection.open(master.cluster().address(), "postgres", database);
                var statement = connection.createStatement()) {
            assertTrue(classify("SELECT 1", CatalogReader.read(connection)).isSingleRead());
            statement.execute("SET synchronous_commit = local");
            statement.execute(definitions);
            Statement found = classify("SELECT 1", CatalogReader.read(connection))
                    .statements()
                    .get(0);
            assertEquals(NotRead.MAY_WRITE, ((Statement.Update) found).reason());
        }
    }
}
