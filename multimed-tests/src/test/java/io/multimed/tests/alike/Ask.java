package io.multimed.tests.alike;

import io.multimed.testkit.wire.FrontendBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A read in one of the forms in which a client may send it.
 *
 * @param sql the statement
 * @param how the messages
 * @param parameter null if it has none
 */
record Ask(String sql, How how, @Nullable String parameter) {
    /** The messages of a read. */
    enum How {
        QUERY,
        UNNAMED,
        UNNAMED_BINARY,
        DESCRIBED,
        NAMED,
        NAMED_BINARY,
        /** A BEGIN READ ONLY, the read and a COMMIT, each by its own Query, none waiting for an answer. */
        BLOCK
    }

    /**
     * Reads without parameters, which are prepared only when they are sent: the settings determine the meaning of constants.
     */
    private static final List<String> WORDS = List.of(
            "SELECT current_user, session_user",
            "SELECT count(*), sum(v) FROM by_user",
            "SELECT owner, v FROM by_user ORDER BY owner, v",
            "SELECT count(*), sum(v) FROM by_tenant",
            "SELECT current_setting('app.tenant', true)",
            "SELECT current_setting('app.tenant', true) IS NULL",
            "SELECT current_setting('app.other', true), current_setting('app.tenant', true) IS NULL",
            "SELECT current_setting('app.other')",
            "SELECT n, s FROM of_invoker",
            "SELECT n, s, u FROM of_owner",
            "SELECT v FROM secret",
            "SELECT has_table_privilege('secret', 'SELECT')",
            "SELECT count(*), sum(v) FROM by_role",
            "SELECT ts, d, iv, f, b, w FROM typed",
            "SELECT ts::text || d::text || iv::text || f::text || b::text || w FROM typed",
            "SELECT to_char(ts, 'YYYY-MM-DD HH24:MI TZ'), extract(hour FROM ts), ts::date FROM typed",
            "SELECT '01/02/2003'::date, '2003-02-01 10:00'::timestamptz, '-1 2:03'::interval",
            "SELECT d = '01/02/2026' FROM typed",
            "SELECT 0.1::float8 + 0.2::float8, '\\x4142'::bytea",
            "SELECT 'a\\x41b' LIKE 'a%', length('\\n')",
            "SELECT k, v FROM t ORDER BY k",
            "SELECT x FROM other",
            "SELECT current_schema(), current_schemas(false)",
            "SELECT to_regclass('t')::oid = 's1.t'::regclass::oid",
            "SHOW TimeZone",
            "SHOW search_path",
            "SHOW DateStyle",
            "SELECT current_setting('TimeZone'), current_setting('DateStyle'), current_setting('role')",
            "SELECT name, setting FROM pg_settings WHERE name IN ('TimeZone', 'search_path', 'IntervalStyle')"
                    + " ORDER BY name",
            "SELECT ts AT TIME ZONE 'UTC', age(ts, '2000-01-01 00:00:00+00') FROM typed",
            "SELECT 1 / (SELECT count(*) - 3 FROM by_user)");

    /** Reads that may be prepared under a name and executed after settings have changed. */
    private static final List<String> KEPT = List.of(
            "SELECT current_user, session_user, $1::text",
            "SELECT count(*), sum(v) FROM by_user WHERE v >= $1::int",
            "SELECT count(*), sum(v) FROM by_tenant WHERE v >= $1::int",
            "SELECT current_setting('app.tenant', true), $1::int",
            "SELECT count(*), sum(v) FROM by_role WHERE v > $1::int",
            "SELECT ts, d, iv, f, b, w, $1::text FROM typed",
            "SELECT k, v FROM t WHERE k >= $1::int ORDER BY k",
            "SELECT ts::text || d::text || iv::text || $1::text FROM typed");

    static Ask any(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> new Ask(one(random, WORDS), How.UNNAMED, null);
            case 1 -> new Ask(one(random, WORDS), How.UNNAMED_BINARY, null);
            case 2 -> new Ask(one(random, WORDS), How.DESCRIBED, null);
            case 3 -> new Ask(one(random, KEPT), How.NAMED, Integer.toString(random.nextInt(3)));
            case 4 -> new Ask(one(random, KEPT), How.NAMED_BINARY, Integer.toString(random.nextInt(3)));
            case 5 -> new Ask(one(random, WORDS), How.BLOCK, null);
            default -> new Ask(one(random, WORDS), How.QUERY, null);
        };
    }

    private static String one(Random random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    boolean isNamed() {
        return how == How.NAMED || how == How.NAMED_BINARY;
    }

    /** Returns a name for each text, the same for all clients or not. */
    String name(int client) {
        return "kept_" + KEPT.indexOf(sql) + (client % 2 == 0 ? "" : "_" + client);
    }

    byte[] prepare(int client) {
        return FrontendBytes.parse(name(client), sql);
    }

    /** Returns how many ReadyForQuery end the answer. */
    int readies() {
        return how == How.BLOCK ? 3 : 1;
    }

    byte[][] messages(int client) {
        List<byte[]> all = new ArrayList<>();
        switch (how) {
            case QUERY -> all.add(FrontendBytes.query(sql));
            case BLOCK -> {
                all.add(FrontendBytes.query("BEGIN READ ONLY"));
                all.add(FrontendBytes.query(sql));
                all.add(FrontendBytes.query("COMMIT"));
            }
            default -> {
                boolean binary = how == How.UNNAMED_BINARY || how == How.NAMED_BINARY;
                if (!isNamed()) {
                    all.add(FrontendBytes.parse("", sql));
                }
                byte[][] values =
                        parameter == null ? new byte[0][] : new byte[][] {parameter.getBytes(StandardCharsets.UTF_8)};
                all.add(FrontendBytes.bind(
                        "", isNamed() ? name(client) : "", List.of(), values, binary ? List.of(1) : List.of()));
                if (how == How.DESCRIBED) {
                    all.add(FrontendBytes.describe('P', ""));
                }
                all.add(FrontendBytes.execute("", 0));
                all.add(FrontendBytes.sync());
            }
        }
        return all.toArray(byte[][]::new);
    }
}
