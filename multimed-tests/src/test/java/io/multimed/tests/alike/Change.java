package io.multimed.tests.alike;

import java.util.List;
import java.util.Random;

/** A change of the answers to a client's reads, or one that seems to be. */
final class Change {
    private static final List<String> OUTSIDE = List.of(
            "SET TimeZone = '%z'",
            "SET TimeZone = '%z'; SELECT 1 / 0",
            "SET DateStyle = '%d'",
            "SET search_path = %p",
            "SET search_path = %p",
            "SET IntervalStyle = '%i'",
            "SET extra_float_digits = %f",
            "SET bytea_output = '%y'",
            "SET standard_conforming_strings = %o",
            "SET client_encoding = %c",
            "SET app.tenant = '%n'",
            "SET app.tenant = '%n'",
            "SET ROLE %r",
            "SET ROLE %r",
            "RESET ROLE",
            "RESET TimeZone",
            "RESET app.tenant",
            "RESET search_path",
            "RESET ALL",
            "DISCARD ALL",
            "SELECT set_config('app.tenant', '%n', false)",
            "SELECT set_config('TimeZone', '%z', true)",
            "SELECT set_config('search_path', '%p', false)",
            "SELECT set_tenant('%n')",
            "SELECT set_zone('%z')",
            "SELECT set_zone_and_fail('%z')",
            "SELECT with_zone()",
            "SELECT with_tenant()",
            "SELECT caught('%n')",
            "DO $$ BEGIN PERFORM set_config('app.tenant', '%n', true); END $$",
            "DO $$ BEGIN SET LOCAL search_path = %p; END $$",
            "BEGIN; SET TimeZone = '%z'; ROLLBACK",
            "BEGIN; SET app.tenant = '%n'; ROLLBACK",
            "BEGIN; SET ROLE %r; ROLLBACK",
            "BEGIN; SET search_path = %p; SAVEPOINT s; SET TimeZone = '%z'; ROLLBACK TO s; COMMIT",
            "BEGIN; SET LOCAL app.tenant = '%n'; SELECT count(*) FROM by_tenant; COMMIT",
            "BEGIN READ ONLY; SET LOCAL app.tenant = '%n'; SELECT count(*) FROM by_tenant; COMMIT",
            "BEGIN READ ONLY; SET LOCAL TimeZone = '%z'; SELECT ts FROM typed; COMMIT",
            "BEGIN READ ONLY; SET search_path = %p; ROLLBACK");

    private static final List<String> BEGIN = List.of(
            "BEGIN READ ONLY",
            "BEGIN READ ONLY",
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            "BEGIN READ ONLY; SET LOCAL app.tenant = '%n'",
            "BEGIN");

    private static final List<String> INSIDE = List.of(
            "SET LOCAL TimeZone = '%z'",
            "SET LOCAL app.tenant = '%n'",
            "SET LOCAL search_path = %p",
            "SET LOCAL ROLE %r",
            "SET TimeZone = '%z'",
            "SET app.tenant = '%n'",
            "SET DateStyle = '%d'",
            "SELECT set_config('app.tenant', '%n', true)",
            "SAVEPOINT s",
            "ROLLBACK TO s");

    /** Statements that are always rolled back, so that the content stays the same. */
    private static final List<String> WRITING = List.of(
            "INSERT INTO typed SELECT * FROM typed",
            "INSERT INTO t VALUES (9, 'own')",
            "INSERT INTO s1.other VALUES (9)");

    private Change() {}

    static String outside(Random random) {
        return filled(random, OUTSIDE);
    }

    static String begin(Random random) {
        return filled(random, BEGIN);
    }

    static String inside(Random random) {
        return filled(random, INSIDE);
    }

    static String writing(Random random) {
        return filled(random, WRITING);
    }

    private static String filled(Random random, List<String> of) {
        return one(random, of)
                .replace("%z", one(random, List.of("Europe/Zurich", "Asia/Tokyo", "UTC")))
                .replace("%d", one(random, List.of("ISO, DMY", "ISO, MDY", "German", "SQL, DMY")))
                .replace("%p", one(random, List.of("s1", "s2", "public", "s2, public", "s1, public")))
                .replace("%i", one(random, List.of("iso_8601", "postgres", "sql_standard")))
                .replace("%f", one(random, List.of("0", "1", "-3")))
                .replace("%y", one(random, List.of("hex", "escape")))
                .replace("%o", one(random, List.of("on", "off")))
                .replace("%c", one(random, List.of("LATIN1", "UTF8")))
                .replace("%n", one(random, List.of("0", "1", "2", "")))
                .replace("%r", one(random, List.of("alike_g", "alike_h", "NONE")));
    }

    private static String one(Random random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
