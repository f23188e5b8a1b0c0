package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.query;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions that prepare the same text share the statement in the engine, unless their settings give it different meanings. */
@Timeout(60)
@Tag("slow")
class SharedStatementsTest {
    /** A statement that the Master executes, like statements that set something. */
    private static final String MIDNIGHT =
            "SELECT extract(epoch FROM '2000-01-01 00:00'::timestamptz)::bigint WHERE pg_backend_pid() > 0";

    private static final String IN_LONDON = "946684800";
    private static final String IN_TOKYO = "946652400";
    /** A statement whose answer shows which of the engine's statements was executed. */
    private static final String NAMES = "SELECT count(*) FROM pg_prepared_statement() WHERE NOT from_sql";

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(1, 1)));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SET TimeZone = 'Europe/London' | SET TIME ZONE 'Asia/Tokyo' | SELECT extract(epoch FROM '2000-01-01 00:00'::timestamptz)
            SET DateStyle = 'ISO, DMY'     | SET DateStyle = 'ISO, MDY' | SELECT extract(month FROM '1.2.2000'::date)
            SET IntervalStyle = 'postgres' | SET IntervalStyle = 'sql_standard' | SELECT extract(epoch FROM '-1 1:00:00'::interval)
            SET array_nulls = on           | SET array_nulls = off      | SELECT '{null}'::text[] IS DISTINCT FROM ARRAY['null']
            """)
    void literalIsReadByTheSettingsOfItsSession(String one, String other, String sql) throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open();
                WireSession plain = multimed.openEngine()) {
            first.rows(one);
            second.rows(other);
            String ofFirst = prepared(first, sql);
            String ofSecond = prepared(second, sql);
            plain.rows(one);
            assertEquals(plain.value(sql), ofFirst);
            plain.rows(other);
            assertEquals(plain.value(sql), ofSecond);
            assertNotEquals(ofFirst, ofSecond);
            assertEquals(ofFirst, executed(first));
            assertEquals(ofSecond, executed(second));
        }
    }

    @Test
    void textIsReadInTheEncodingOfItsSession() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            second.rows("SET client_encoding = 'LATIN1'");
            assertEquals("1", prepared(first, "SELECT length('ü')"));
            assertEquals("2", prepared(second, "SELECT length('ü')"));
        }
    }

    @Test
    void settingOfATransactionIsOfNoConcernToOthers() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            first.rows("SET TimeZone = 'Europe/London'");
            second.rows("SET TimeZone = 'Europe/London'");
            first.rows("BEGIN");
            first.rows("SET LOCAL TimeZone = 'Asia/Tokyo'");
            assertEquals(IN_TOKYO, prepared(first, MIDNIGHT));
            first.rows("COMMIT");
            assertEquals(IN_LONDON, prepared(second, MIDNIGHT));
        }
    }

    /** A statement sent ahead is parsed with settings that are not known yet. */
    @Test
    void settingSentAheadIsOfNoConcernToOthers() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            first.rows("SET TimeZone = 'Europe/London'");
            second.rows("SET TimeZone = 'Europe/London'");
            first.send(
                    parse("", "SET TimeZone = 'Asia/Tokyo'"),
                    bind("", ""),
                    execute("", 0),
                    parse("s", MIDNIGHT),
                    bind("", "s"),
                    execute("", 0),
                    sync());
            assertEquals(IN_TOKYO, value(first.ready()));
            assertEquals(IN_LONDON, prepared(second, MIDNIGHT));
            first.send(query("SET TimeZone = 'Europe/London'"), bind("", "s"), execute("", 0), sync());
            first.ready();
            first.ready();
            assertEquals(IN_LONDON, executed(second));
        }
    }

    @Test
    void isOneStatementForSessionsThatMeanTheSame() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            for (WireSession session : List.of(first, second)) {
                session.rows("SET TimeZone = 'Asia/Tokyo'");
                session.rows("SET app.who = 'Ä'");
                assertEquals("1", prepared(session, NAMES));
            }
        }
    }

    /** On the Master it is executed without waiting for its classification; on a Satellite the classification must be known. */
    @Test
    void isAReadForEverybodyThoughAnUpdateWasTheFirstToUseItUnderThisCatalog() throws IOException {
        String sql = "SELECT count(*) > 0 FROM pg_class WHERE relname LIKE 'pg%'";
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            assertEquals("t", prepared(first, sql));
            assertEquals("t", prepared(second, sql));
            multimed.catalog = new DatabaseCatalog.Builder().build();
            first.rows("BEGIN");
            first.rows("CREATE TABLE t ()");
            assertEquals("t", executed(first));
            first.rows("COMMIT");
            assertEquals("t", executed(second));
            assertEquals("satellite-1: read on a fresh satellite", second.value("SHOW multimed.route"));
        }
    }

    private static String prepared(WireSession session, String sql) throws IOException {
        session.send(parse("s", sql), bind("", "s"), execute("", 0), sync());
        return value(session.ready());
    }

    private static String executed(WireSession session) throws IOException {
        session.send(bind("", "s"), execute("", 0), sync());
        return value(session.ready());
    }

    private static String value(List<Message> answer) {
        return String.valueOf(answer.stream()
                .filter(message -> message.type() == 'D')
                .findFirst()
                .orElseThrow(() -> new AssertionError(answer))
                .texts()
                .getFirst());
    }
}
