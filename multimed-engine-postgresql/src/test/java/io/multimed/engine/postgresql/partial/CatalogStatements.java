package io.multimed.engine.postgresql.partial;

import io.multimed.engine.postgresql.cluster.CarriedTables;
import java.util.List;

/** Statements that change the catalogs by which a partial Satellite of some tables answers, and statements that do not. */
final class CatalogStatements {
    static final CarriedTables CARRIED =
            new CarriedTables("postgres", List.of("shop.item", "shop.sale", "shop.parent"));

    /** Makes the objects that the others are about. */
    static final List<String> SETUP = lines("""
            CREATE SCHEMA shop
            CREATE SCHEMA attic
            CREATE ROLE clerk LOGIN
            CREATE ROLE boss
            CREATE TYPE shop.mood AS ENUM ('calm', 'cross')
            CREATE DOMAIN shop.price AS int CHECK (VALUE >= 0)
            CREATE TYPE shop.pair AS (a int, b int)
            CREATE FUNCTION shop.twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2'
            CREATE TABLE shop.item (id int PRIMARY KEY, name text, cost shop.price, mood shop.mood, couple shop.pair, \
            doubled int GENERATED ALWAYS AS (id * 2) STORED, code int NOT NULL DEFAULT 0)
            CREATE TABLE shop.sale (n int, day int, PRIMARY KEY (n, day)) PARTITION BY LIST (day)
            CREATE TABLE shop.sale_1 PARTITION OF shop.sale FOR VALUES IN (1)
            CREATE TABLE shop.sale_rest PARTITION OF shop.sale DEFAULT
            CREATE TABLE shop.parent (id int PRIMARY KEY)
            CREATE TABLE shop.heir (PRIMARY KEY (id)) INHERITS (shop.parent)
            CREATE TABLE attic.other (id int PRIMARY KEY, item int, name text)
            CREATE TABLE attic.empty ()
            CREATE VIEW shop.seen AS SELECT id, name FROM shop.item
            CREATE VIEW shop.seen_twice AS SELECT * FROM shop.seen
            CREATE VIEW shop.mixed AS SELECT i.id FROM shop.item i JOIN attic.other o ON i.id = o.item
            CREATE VIEW shop.mixed_too AS SELECT * FROM shop.mixed
            CREATE VIEW shop.constant AS SELECT 1 AS one
            INSERT INTO shop.item (id, name, cost) SELECT g, 'name ' || g, g FROM generate_series(1, 500) g
            INSERT INTO shop.sale SELECT g, g % 4 FROM generate_series(1, 100) g
            INSERT INTO attic.other SELECT g, g FROM generate_series(1, 100) g
            """);

    /** Each begins with {@code !} if it changes these catalogs, with {@code =} if it does not, and with the release that it needs. */
    private static final List<String> ALL = lines("""
            ! ALTER TABLE shop.item ADD note text
            ! ALTER TABLE shop.item ALTER note TYPE varchar(10)
            ! ALTER TABLE shop.item ALTER note TYPE text COLLATE "C"
            = UPDATE shop.item SET note = ''
            ! ALTER TABLE shop.item ALTER note SET NOT NULL
            ! ALTER TABLE shop.item ALTER note DROP NOT NULL
            ! ALTER TABLE shop.item RENAME note TO remark
            ! GRANT SELECT (remark) ON shop.item TO clerk
            ! REVOKE SELECT (remark) ON shop.item FROM clerk
            ! ALTER TABLE shop.item DROP remark
            ! ALTER TABLE shop.item ADD extra int DEFAULT 5
            = VACUUM FULL shop.item
            ! ALTER TABLE shop.item ADD CONSTRAINT positive CHECK (code >= 0) NOT VALID
            ! ALTER TABLE shop.item VALIDATE CONSTRAINT positive
            ! ALTER TABLE shop.item RENAME CONSTRAINT positive TO natural_code
            ! ALTER TABLE shop.item DROP CONSTRAINT natural_code
            ! ALTER TABLE shop.item ENABLE ROW LEVEL SECURITY
            ! ALTER TABLE shop.item FORCE ROW LEVEL SECURITY
            ! CREATE POLICY mine ON shop.item USING (id > 0)
            ! ALTER POLICY mine ON shop.item USING (id > 1)
            ! ALTER POLICY mine ON shop.item TO clerk
            ! ALTER POLICY mine ON shop.item RENAME TO ours
            ! CREATE POLICY narrow ON shop.sale AS RESTRICTIVE USING (n > 1)
            ! DROP POLICY ours ON shop.item
            ! ALTER TABLE shop.item NO FORCE ROW LEVEL SECURITY
            ! ALTER TABLE shop.item DISABLE ROW LEVEL SECURITY
            ! ALTER TABLE shop.item OWNER TO boss
            ! GRANT SELECT ON shop.item TO clerk
            ! REVOKE SELECT ON shop.item FROM clerk
            ! GRANT ALL ON ALL TABLES IN SCHEMA shop TO clerk
            ! ALTER TABLE shop.item RENAME TO thing
            ! ALTER TABLE shop.thing RENAME TO item
            ! ALTER TABLE shop.item SET SCHEMA attic
            ! ALTER TABLE attic.item SET SCHEMA shop
            ! ALTER TABLE shop.item REPLICA IDENTITY FULL
            ! ALTER TABLE shop.item REPLICA IDENTITY DEFAULT
            = CREATE UNIQUE INDEX item_code ON shop.item (code, id)
            ! ALTER TABLE shop.item REPLICA IDENTITY USING INDEX item_code
            ! ALTER TABLE shop.item REPLICA IDENTITY DEFAULT
            = DROP INDEX shop.item_code
            ! ALTER TABLE shop.item DROP CONSTRAINT item_pkey
            ! ALTER TABLE shop.item ADD PRIMARY KEY (id)
            = ALTER TABLE shop.item ALTER code DROP DEFAULT
            ! ALTER TABLE shop.item ALTER code ADD GENERATED BY DEFAULT AS IDENTITY
            ! ALTER TABLE shop.item ALTER code SET GENERATED ALWAYS
            ! ALTER TABLE shop.item ALTER code DROP IDENTITY
            ! ALTER TABLE shop.item ALTER doubled DROP EXPRESSION
            ! ALTER TABLE shop.item ADD triple int GENERATED ALWAYS AS (id * 3) STORED
            !18 ALTER TABLE shop.item ADD quadruple int GENERATED ALWAYS AS (id * 4) VIRTUAL
            !18 ALTER TABLE shop.item ALTER quadruple SET EXPRESSION AS (id * 5)
            !18 ALTER TABLE shop.item ADD CONSTRAINT slack CHECK (id > 0) NOT ENFORCED
            ! ALTER TABLE shop.parent SET UNLOGGED
            ! ALTER TABLE shop.parent SET LOGGED
            ! CREATE TABLE shop.sale_2 PARTITION OF shop.sale FOR VALUES IN (12)
            ! ALTER TABLE shop.sale_2 ENABLE ROW LEVEL SECURITY
            ! ALTER TABLE shop.sale DETACH PARTITION shop.sale_2
            = ALTER TABLE shop.sale_2 ADD CHECK (n > 0)
            ! ALTER TABLE shop.sale ATTACH PARTITION shop.sale_2 FOR VALUES IN (12, 13)
            ! DROP TABLE shop.sale_2
            ! ALTER TABLE shop.heir NO INHERIT shop.parent
            ! ALTER TABLE shop.heir INHERIT shop.parent
            ! CREATE TABLE shop.second_heir (extra int) INHERITS (shop.parent)
            ! ALTER TABLE shop.parent ADD wide text
            ! DROP TABLE shop.second_heir
            ! ALTER TABLE shop.item INHERIT attic.empty
            ! ALTER TABLE shop.item NO INHERIT attic.empty
            ! CREATE OR REPLACE VIEW shop.seen AS SELECT id, name FROM shop.item WHERE id > 0
            ! ALTER VIEW shop.seen SET (security_barrier = true)
            ! ALTER VIEW shop.seen OWNER TO boss
            ! REVOKE SELECT ON shop.seen_twice FROM clerk
            ! CREATE OR REPLACE VIEW shop.constant AS SELECT 2 AS one
            ! CREATE VIEW shop.third AS SELECT count(*) AS c FROM shop.sale
            ! ALTER VIEW shop.third RENAME TO fourth
            ! ALTER VIEW shop.fourth RENAME COLUMN c TO d
            ! DROP VIEW shop.fourth
            ! CREATE OR REPLACE VIEW shop.seen_twice AS SELECT id, name FROM attic.other
            ! CREATE OR REPLACE VIEW shop.seen_twice AS SELECT * FROM shop.seen
            = CREATE OR REPLACE VIEW shop.mixed AS SELECT i.id FROM shop.item i JOIN attic.other o ON i.id + 1 = o.item
            = REVOKE SELECT ON shop.mixed_too FROM clerk
            = CREATE VIEW attic.theirs AS SELECT * FROM attic.other
            = GRANT SELECT ON attic.theirs TO clerk
            = DROP VIEW attic.theirs
            = CREATE MATERIALIZED VIEW shop.counted AS SELECT count(*) FROM shop.item
            = REFRESH MATERIALIZED VIEW shop.counted
            = CREATE VIEW shop.over_counted AS SELECT * FROM shop.counted
            = DROP MATERIALIZED VIEW shop.counted CASCADE
            ! CREATE OR REPLACE FUNCTION shop.twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + $1'
            ! ALTER FUNCTION shop.twice STABLE
            ! ALTER FUNCTION shop.twice SET search_path = shop
            ! ALTER FUNCTION shop.twice SECURITY DEFINER
            ! REVOKE EXECUTE ON FUNCTION shop.twice FROM PUBLIC
            ! ALTER FUNCTION shop.twice OWNER TO boss
            ! CREATE FUNCTION shop.twice(bigint) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 7'
            ! DROP FUNCTION shop.twice(bigint)
            ! CREATE AGGREGATE shop.total (int) (SFUNC = int4pl, STYPE = int, INITCOND = '0')
            ! CREATE OR REPLACE AGGREGATE shop.total (int) (SFUNC = int4pl, STYPE = int, INITCOND = '1')
            ! DROP AGGREGATE shop.total (int)
            ! ALTER TYPE shop.mood ADD VALUE 'glad' BEFORE 'calm'
            ! ALTER TYPE shop.mood RENAME VALUE 'glad' TO 'merry'
            ! ALTER TYPE shop.mood RENAME TO temper
            ! REVOKE USAGE ON TYPE shop.temper FROM PUBLIC
            ! ALTER DOMAIN shop.price ADD CONSTRAINT low CHECK (VALUE < 1000)
            ! ALTER DOMAIN shop.price DROP CONSTRAINT low
            ! ALTER DOMAIN shop.price SET NOT NULL
            ! ALTER DOMAIN shop.price DROP NOT NULL
            ! CREATE TYPE shop.triple AS (a int)
            ! ALTER TYPE shop.triple ADD ATTRIBUTE b int
            ! ALTER TYPE shop.triple RENAME ATTRIBUTE b TO c
            ! DROP TYPE shop.triple
            ! CREATE TYPE shop.span AS RANGE (SUBTYPE = int)
            ! DROP TYPE shop.span
            ! CREATE CAST (shop.pair AS text) WITH INOUT AS IMPLICIT
            ! DROP CAST (shop.pair AS text)
            ! CREATE OPERATOR shop.<<<< (FUNCTION = int4pl, LEFTARG = int, RIGHTARG = int)
            ! ALTER OPERATOR shop.<<<< (int, int) OWNER TO boss
            ! DROP OPERATOR shop.<<<< (int, int)
            ! CREATE OPERATOR CLASS shop.backwards FOR TYPE int USING btree AS OPERATOR 1 >, FUNCTION 1 btint4cmp(int, int)
            ! ALTER OPERATOR FAMILY shop.backwards USING btree ADD OPERATOR 5 < (int, int)
            ! DROP OPERATOR FAMILY shop.backwards USING btree CASCADE
            ! CREATE COLLATION shop.plain (LOCALE = 'C')
            ! ALTER COLLATION shop.plain RENAME TO simple
            ! DROP COLLATION shop.simple
            ! CREATE TEXT SEARCH DICTIONARY shop.words (TEMPLATE = simple)
            ! ALTER TEXT SEARCH DICTIONARY shop.words (Accept = false)
            ! CREATE TEXT SEARCH CONFIGURATION shop.search (PARSER = default)
            ! ALTER TEXT SEARCH CONFIGURATION shop.search ADD MAPPING FOR asciiword WITH shop.words
            ! DROP TEXT SEARCH CONFIGURATION shop.search
            ! DROP TEXT SEARCH DICTIONARY shop.words
            ! CREATE CONVERSION shop.turn FOR 'UTF8' TO 'LATIN1' FROM utf8_to_iso8859_1
            ! DROP CONVERSION shop.turn
            ! CREATE EXTENSION hstore
            ! ALTER EXTENSION hstore SET SCHEMA shop
            ! DROP EXTENSION hstore
            ! CREATE ACCESS METHOD pile TYPE TABLE HANDLER heap_tableam_handler
            ! DROP ACCESS METHOD pile
            ! ALTER SCHEMA shop RENAME TO store
            ! ALTER SCHEMA store RENAME TO shop
            ! CREATE SCHEMA cellar
            ! ALTER SCHEMA cellar RENAME TO vault
            ! ALTER SCHEMA vault OWNER TO boss
            ! GRANT USAGE ON SCHEMA vault TO clerk
            ! DROP SCHEMA vault
            ! CREATE ROLE guest
            ! ALTER ROLE guest RENAME TO visitor
            ! ALTER ROLE visitor BYPASSRLS
            ! ALTER ROLE visitor SUPERUSER
            ! ALTER ROLE visitor VALID UNTIL '2035-05-05'
            = ALTER ROLE visitor PASSWORD 'new'
            ! GRANT boss TO visitor
            ! REVOKE boss FROM visitor
            ! ALTER ROLE visitor SET search_path = shop
            ! ALTER ROLE visitor IN DATABASE postgres SET timezone = 'UTC'
            ! ALTER ROLE visitor RESET ALL
            ! ALTER ROLE visitor IN DATABASE postgres RESET ALL
            ! ALTER ROLE ALL SET extra_float_digits = 0
            ! ALTER DATABASE postgres SET timezone = 'UTC'
            ! ALTER DATABASE postgres RESET timezone
            ! REVOKE CONNECT ON DATABASE postgres FROM PUBLIC
            ! ALTER DATABASE postgres CONNECTION LIMIT 50
            ! GRANT SET ON PARAMETER session_replication_role TO visitor
            ! REVOKE SET ON PARAMETER session_replication_role FROM visitor
            ! DROP ROLE visitor
            ! CREATE RULE nothing AS ON DELETE TO shop.item DO INSTEAD NOTHING
            ! DROP RULE nothing ON shop.item
            ! BEGIN; SAVEPOINT a; ALTER TABLE shop.item ADD sub int; RELEASE a; COMMIT
            = BEGIN; SAVEPOINT a; ALTER TABLE shop.item ADD super int; ROLLBACK TO a; COMMIT
            = BEGIN; DROP TABLE shop.item CASCADE; ROLLBACK
            = BEGIN; ALTER TABLE shop.item ENABLE ROW LEVEL SECURITY; ALTER TABLE shop.item DISABLE ROW LEVEL SECURITY; COMMIT
            = BEGIN; CREATE POLICY late ON shop.item USING (true); PREPARE TRANSACTION 'late'
            ! COMMIT PREPARED 'late'
            = BEGIN; DROP POLICY late ON shop.item; PREPARE TRANSACTION 'never'
            = ROLLBACK PREPARED 'never'
            ! REASSIGN OWNED BY boss TO postgres
            ! DROP OWNED BY clerk
            ! DROP TABLE shop.parent CASCADE
            = CREATE DATABASE elsewhere
            = ALTER DATABASE elsewhere SET timezone = 'UTC'
            = DROP DATABASE elsewhere
            = ALTER TABLE shop.item ADD CONSTRAINT far FOREIGN KEY (extra) REFERENCES attic.other NOT VALID
            = ALTER TABLE shop.item DROP CONSTRAINT far
            = ALTER TABLE attic.other ADD CONSTRAINT near FOREIGN KEY (item) REFERENCES shop.item NOT VALID
            = ALTER TABLE attic.other DROP CONSTRAINT near
            = ALTER TABLE shop.item ADD CONSTRAINT once UNIQUE (name)
            = ALTER TABLE shop.item DROP CONSTRAINT once
            = ALTER TABLE shop.item ALTER code SET DEFAULT 7
            = ALTER TABLE shop.item ALTER code SET STATISTICS 50
            = ALTER TABLE shop.item ALTER name SET STORAGE EXTERNAL
            = ALTER TABLE shop.item ALTER name SET (n_distinct = 5)
            = ALTER TABLE shop.item SET (fillfactor = 50, autovacuum_enabled = false)
            = ANALYZE
            = ANALYZE shop.item
            = VACUUM
            = VACUUM (FREEZE) shop.item
            = VACUUM FULL
            = TRUNCATE shop.item
            = TRUNCATE shop.sale, attic.other
            = REINDEX TABLE shop.item
            = REINDEX INDEX CONCURRENTLY shop.item_pkey
            = REINDEX TABLE CONCURRENTLY shop.sale
            = REINDEX SYSTEM postgres
            = CLUSTER shop.item USING item_pkey
            = ALTER TABLE shop.item SET WITHOUT CLUSTER
            = ALTER INDEX shop.item_pkey SET (fillfactor = 80)
            = CREATE INDEX item_name ON shop.item (name)
            = CREATE INDEX CONCURRENTLY item_lower ON shop.item (lower(name))
            = ALTER INDEX shop.item_name RENAME TO item_name_too
            = DROP INDEX shop.item_name_too
            = DROP INDEX CONCURRENTLY shop.item_lower
            = CREATE TRIGGER still BEFORE UPDATE ON shop.item FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()
            = ALTER TABLE shop.item DISABLE TRIGGER still
            = DROP TRIGGER still ON shop.item
            = CREATE STATISTICS shop.both_columns ON id, code FROM shop.item
            = DROP STATISTICS shop.both_columns
            = COMMENT ON TABLE shop.item IS 'x'
            = COMMENT ON COLUMN shop.item.id IS 'x'
            = COMMENT ON FUNCTION shop.twice IS 'x'
            = CREATE PUBLICATION several FOR TABLE shop.item
            = ALTER PUBLICATION several ADD TABLE attic.other
            = DROP PUBLICATION several
            = CREATE SEQUENCE shop.numbers
            = ALTER SEQUENCE shop.numbers RESTART 5
            = GRANT USAGE ON SEQUENCE shop.numbers TO clerk
            = DROP SEQUENCE shop.numbers
            = ALTER DEFAULT PRIVILEGES IN SCHEMA attic GRANT SELECT ON TABLES TO clerk
            = CREATE FOREIGN DATA WRAPPER nowhere
            = DROP FOREIGN DATA WRAPPER nowhere
            = CREATE TABLE attic.more (id serial PRIMARY KEY, item int REFERENCES shop.item, t text CHECK (t <> ''))
            = ALTER TABLE attic.more ADD c shop.price, ADD m shop.temper
            = ALTER TABLE attic.more ENABLE ROW LEVEL SECURITY
            = CREATE POLICY theirs ON attic.more USING (id IN (SELECT id FROM shop.item))
            = ALTER TABLE attic.more OWNER TO boss
            = GRANT SELECT ON attic.more TO clerk
            = ALTER TABLE attic.more RENAME TO less
            = ALTER TABLE attic.less SET SCHEMA shop
            = CREATE TABLE attic.pieces (a int) PARTITION BY LIST (a)
            = CREATE TABLE attic.piece PARTITION OF attic.pieces FOR VALUES IN (1)
            = ALTER TABLE attic.pieces DETACH PARTITION attic.piece
            = DROP TABLE attic.pieces, attic.piece, shop.less
            = CREATE UNLOGGED TABLE attic.passing AS SELECT * FROM shop.item
            = DROP TABLE attic.passing
            = CREATE TEMP TABLE mine (id serial PRIMARY KEY, t text, m shop.temper, CHECK (id > 0))
            = CREATE TEMP TABLE item AS SELECT * FROM shop.item
            = ALTER TABLE mine ADD c int
            = CREATE TEMP VIEW mine_too AS SELECT * FROM shop.item
            = CREATE TEMP TABLE pieces (a int) PARTITION BY LIST (a)
            = CREATE TEMP TABLE piece PARTITION OF pieces FOR VALUES IN (1)
            = CREATE TYPE pg_temp.state AS ENUM ('on', 'off')
            = CREATE TYPE pg_temp.two AS (a int, b int)
            = CREATE TYPE pg_temp.from_to AS RANGE (SUBTYPE = int)
            = CREATE DOMAIN pg_temp.little AS int CHECK (VALUE < 5)
            = CREATE FUNCTION pg_temp.f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'
            = DROP TABLE mine CASCADE
            = DISCARD TEMP
            = INSERT INTO shop.item (id, name, cost) SELECT g, 'x', 1 FROM generate_series(1, 100) g
            = UPDATE shop.item SET name = 'y'
            = SELECT lo_create(77)
            = CHECKPOINT
            """);

    private CatalogStatements() {}

    private static List<String> lines(String text) {
        return text.lines().toList();
    }

    /** Returns those of a release, in the order in which they have to be executed. */
    static List<String> all(int release) {
        return ALL.stream()
                .filter(line ->
                        line.charAt(1) == ' ' || Integer.parseInt(line.substring(1, line.indexOf(' '))) <= release)
                .toList();
    }

    static boolean changes(String line) {
        return line.startsWith("!");
    }

    static String sql(String line) {
        return line.substring(line.indexOf(' ') + 1);
    }

    /** Those that change nothing, need nothing but the setup, and can be executed again and again, beside others of themselves. */
    static final List<String> HARMLESS = lines("""
            ANALYZE shop.item
            VACUUM shop.sale
            ANALYZE attic.other
            BEGIN; CREATE TABLE attic.%s (a int PRIMARY KEY, b text); DROP TABLE attic.%s; COMMIT
            CREATE TABLE attic.%s (a serial PRIMARY KEY, i int REFERENCES shop.item)
            CREATE TEMP TABLE %s (a int PRIMARY KEY, b text)
            CREATE TEMP VIEW %s AS SELECT * FROM shop.item
            CREATE SEQUENCE attic.%s
            CREATE INDEX %s ON shop.item (name)
            REINDEX TABLE shop.item
            TRUNCATE attic.other
            CREATE STATISTICS attic.%s ON id, code FROM shop.item
            CREATE PUBLICATION %s FOR TABLE attic.other
            ALTER TABLE shop.item ALTER code SET DEFAULT 8
            ALTER ROLE clerk PASSWORD '%s'
            COMMENT ON TABLE shop.item IS '%s'
            """);

    /** Those that change something, as often as they are executed. */
    static final List<String> HARMFUL = lines("""
            ALTER TABLE shop.item ADD %s int
            CREATE POLICY %s ON shop.item USING (true)
            CREATE VIEW shop.%s AS SELECT count(*) FROM shop.sale
            CREATE FUNCTION attic.%s() RETURNS int LANGUAGE sql AS 'SELECT 1'
            CREATE ROLE %s
            ALTER ROLE boss SET application_name = '%s'
            ALTER TYPE shop.mood ADD VALUE '%s'
            CREATE TYPE attic.%s AS ENUM ('x')
            ALTER TABLE shop.item ADD CONSTRAINT %s CHECK (id > -1)
            CREATE TABLE shop.%s PARTITION OF shop.sale FOR VALUES IN (%d)
            CREATE DOMAIN attic.%s AS int
            CREATE COLLATION attic.%s (LOCALE = 'C')
            CREATE SCHEMA %s
            """);
}
