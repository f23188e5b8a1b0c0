package io.multimed.tests.alike;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A database whose visible content depends on the user and on the settings. It is the same on each server. */
final class Content {
    static final String DATABASE = "answered_alike";
    /** Roles that log in. */
    static final List<String> USERS = List.of("alike_a", "alike_b");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<String> ROLES = List.of(
            "CREATE ROLE alike_a LOGIN",
            "CREATE ROLE alike_b LOGIN",
            "CREATE ROLE alike_g",
            "CREATE ROLE alike_h",
            "GRANT alike_g, alike_h TO alike_a, alike_b");

    private static final List<String> CREATE = List.of(
            "CREATE SCHEMA s1",
            "CREATE SCHEMA s2",
            "GRANT USAGE ON SCHEMA s1, s2 TO PUBLIC",
            "CREATE TABLE s1.t AS SELECT i AS k, 'first ' || i AS v FROM generate_series(1, 3) AS i",
            "CREATE TABLE s2.t AS SELECT i AS k, 'second ' || i AS v FROM generate_series(1, 3) AS i",
            "CREATE TABLE public.t AS SELECT i AS k, 'public ' || i AS v FROM generate_series(1, 3) AS i",
            "CREATE TABLE s1.other (x int)",
            "CREATE TABLE s2.other (x timestamptz)",
            "INSERT INTO s1.other VALUES (1), (2)",
            "INSERT INTO s2.other VALUES ('2001-02-03 04:05:06+00')",
            "CREATE TABLE typed (ts timestamptz, d date, iv interval, f float8, b bytea, w text)",
            "INSERT INTO typed VALUES ('2026-01-31 23:30:00+00', '2026-02-01', '1 year 2 mons 3 days 04:05:06',"
                    + " 0.1::float8 + 0.2::float8, '\\x00ff41', 'caf\u00e9')",
            "CREATE TABLE by_user AS SELECT u AS owner, i AS v FROM"
                    + " (VALUES ('alike_a'), ('alike_b'), ('alike_g'), ('alike_h')) AS users (u),"
                    + " generate_series(1, 3) AS i WHERE i <= length(u) + ascii(right(u, 1)) % 3",
            "CREATE TABLE by_tenant AS SELECT (i % 3)::text AS tenant, i AS v FROM generate_series(1, 10) AS i",
            "CREATE TABLE by_role AS SELECT i AS v FROM generate_series(1, 30) AS i",
            "ALTER TABLE by_user ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE by_tenant ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE by_role ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY own ON by_user USING (owner = current_user)",
            "CREATE POLICY own ON by_tenant USING (tenant = current_setting('app.tenant', true))",
            "CREATE POLICY a ON by_role TO alike_a USING (v % 2 = 0)",
            "CREATE POLICY b ON by_role TO alike_b USING (v % 3 = 0)",
            "CREATE POLICY g ON by_role TO alike_g USING (v % 5 = 0)",
            "CREATE TABLE secret AS SELECT 'for alike_g' AS v",
            "CREATE VIEW of_invoker WITH (security_invoker = true) AS SELECT count(*) AS n, sum(v) AS s FROM by_role",
            "CREATE VIEW of_owner AS SELECT count(*) AS n, sum(v) AS s, current_user AS u FROM by_role",
            "GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public, s1, s2 TO PUBLIC",
            "REVOKE ALL ON secret FROM PUBLIC",
            "GRANT SELECT ON secret TO alike_g",
            "CREATE FUNCTION set_tenant(v text) RETURNS text LANGUAGE plpgsql AS"
                    + " 'BEGIN RETURN set_config(''app.tenant'', v, false); END'",
            "CREATE FUNCTION set_zone(v text) RETURNS text LANGUAGE plpgsql AS"
                    + " 'BEGIN RETURN set_config(''TimeZone'', v, false); END'",
            "CREATE FUNCTION set_zone_and_fail(v text) RETURNS text LANGUAGE plpgsql AS"
                    + " 'BEGIN PERFORM set_config(''TimeZone'', v, false); RETURN 1 / 0; END'",
            "CREATE FUNCTION with_zone() RETURNS text LANGUAGE plpgsql SET TimeZone = 'Asia/Tokyo' AS"
                    + " 'BEGIN RETURN current_setting(''TimeZone''); END'",
            "CREATE FUNCTION with_tenant() RETURNS bigint LANGUAGE sql SET app.tenant = '2' AS"
                    + " 'SELECT count(*) FROM public.by_tenant'",
            "CREATE FUNCTION caught(v text) RETURNS text LANGUAGE plpgsql AS 'BEGIN PERFORM set_config("
                    + "''app.tenant'', v, false); RETURN 1 / 0; EXCEPTION WHEN division_by_zero THEN RETURN ''caught'';"
                    + " END'");

    private Content() {}

    static void create(ServerAddress server) throws IOException {
        try (WireSession owner = WireSession.open(server, "postgres", "postgres", PATIENCE)) {
            for (String role : ROLES) {
                owner.rows(role);
            }
            owner.rows("CREATE DATABASE " + DATABASE);
        }
        try (WireSession owner = WireSession.open(server, "postgres", DATABASE, PATIENCE)) {
            for (String sql : CREATE) {
                owner.rows(sql);
            }
        }
    }

    static void drop(ServerAddress server) throws IOException {
        try (WireSession owner = WireSession.open(server, "postgres", "postgres", PATIENCE)) {
            owner.rows("DROP DATABASE " + DATABASE + " WITH (FORCE)");
            owner.rows("DROP ROLE alike_a, alike_b, alike_g, alike_h");
        }
    }
}
