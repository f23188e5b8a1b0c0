package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects that exist in one engine process and cannot be moved to another: their session keeps the connection, which no other
 * session gets.
 */
@Timeout(60)
class KeptConnectionTest {
    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CREATE FUNCTION pg_temp.one() RETURNS int LANGUAGE sql AS 'SELECT 1' | SELECT pg_temp.one()
            CREATE DOMAIN pg_temp.number AS int                                  | SELECT 1::pg_temp.number
            CREATE TYPE pg_temp.letter AS ENUM ('1')                             | SELECT '1'::pg_temp.letter
            CREATE TEMP TABLE ones AS SELECT 1 AS i                              | SELECT i FROM ones
            """)
    void temporaryObjectIsOfOneSessionAlone(String create, String use) throws IOException {
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows(create);
            assertEquals('E', other.query(use).getFirst().type());
            assertEquals("1", session.value(use));
        }
        try (WireSession later = multimed.open()) {
            assertEquals('E', later.query(use).getFirst().type());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT setseed(0.5)", "SET seed = 0.5", "SELECT set_config('seed', '0.5', false)"})
    void seedIsThatOfTheSession(String seeding) throws IOException {
        try (WireSession plain = multimed.openEngine();
                WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            plain.rows(seeding);
            session.rows(seeding);
            other.rows("SELECT random()");
            for (int i = 0; i < 3; i++) {
                assertEquals(plain.value("SELECT random()"), session.value("SELECT random()"));
            }
            assertNotEquals(process(session), process(other));
        }
    }

    @Test
    void libraryIsLoadedForItsSession() throws IOException {
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows("LOAD 'plpgsql'");
            String process = process(session);
            assertNotEquals(process, process(other));
            assertEquals(process, process(session));
            session.rows("DISCARD ALL");
            assertNotEquals(process, process(other));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT pg_advisory_lock(1)             | SELECT pg_advisory_unlock(1)
            SELECT pg_try_advisory_lock_shared(1)  | SELECT pg_advisory_unlock_all()
            CREATE DOMAIN pg_temp.gone AS int      | DROP DOMAIN pg_temp.gone
            CREATE TEMP TABLE gone (i int)         | DISCARD TEMP
            LISTEN gone; SELECT 1                  | UNLISTEN gone
            PREPARE gone AS SELECT 1               | DEALLOCATE gone
            """)
    void connectionIsGivenBackWhenItHoldsNothingAnyMore(String keeping, String lettingGo) throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows(keeping);
            session.rows("SELECT 1");
            assertTrue(session.value("SHOW multimed.route").startsWith("master"));
            session.rows(lettingGo);
            session.rows("SELECT 1");
            assertTrue(session.value("SHOW multimed.route").startsWith("satellite-1"));
        }
    }

    /** It cannot be set on another connection. */
    @Test
    void settingThatItsUserMayNotSetStaysWithTheSession() throws IOException {
        try (WireSession administrator = multimed.openEngine()) {
            administrator.rows("CREATE ROLE clerk LOGIN");
            administrator.rows("CREATE FUNCTION logged() RETURNS text LANGUAGE sql SECURITY DEFINER"
                    + " AS 'SELECT set_config(''log_min_duration_statement'', ''12345'', false)'");
        }
        try (WireSession session = clerk();
                WireSession other = clerk()) {
            session.rows("SELECT logged()");
            other.rows("BEGIN");
            assertEquals("-1", other.value("SHOW log_min_duration_statement"));
            assertEquals("12345ms", session.value("SHOW log_min_duration_statement"));
        }
    }

    /** Row security depends on the role: no other session may get it, and this session may not lose it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT set_config('role', 'lowly', false)",
                "SELECT pg_catalog.set_config( 'ROLE' , 'lowly', false)",
                "SELECT set_config('session_authorization', 'lowly', false)",
                "SELECT set_config('ro' || 'le', 'lowly', false)"
            })
    void theRoleThatAFunctionHasSetIsTheSessionsAlone(String becomes) throws IOException {
        try (WireSession administrator = multimed.openEngine()) {
            administrator.query("CREATE ROLE lowly");
        }
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows(becomes);
            for (int i = 0; i < 3; i++) {
                assertEquals("postgres", other.value("SELECT current_user FROM txid_current()"));
                assertEquals("postgres", other.value("SELECT current_user"));
                assertEquals("lowly", session.value("SELECT current_user"));
                assertEquals("lowly", session.value("SELECT current_user FROM txid_current()"));
            }
        }
    }

    /** The text was sent before an earlier Sync; its execution sets the role. */
    @Test
    void theRoleThatAPreparedStatementSetsIsTheSessionsAlone() throws IOException {
        try (WireSession administrator = multimed.openEngine()) {
            administrator.query("CREATE ROLE lowly");
        }
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.send(FrontendBytes.parse("becomes", "SELECT set_config('role', $1, false)"), FrontendBytes.sync());
            session.ready();
            session.rows("SELECT 1 FROM txid_current()");
            session.send(
                    FrontendBytes.bind("", "becomes", "lowly"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            session.ready();
            for (int i = 0; i < 3; i++) {
                assertEquals("postgres", other.value("SELECT current_user FROM txid_current()"));
                assertEquals("lowly", session.value("SELECT current_user"));
                assertEquals("lowly", session.value("SELECT current_user FROM txid_current()"));
            }
        }
    }

    private static WireSession clerk() throws IOException {
        return WireSession.open(multimed.address(), "clerk", "postgres", Duration.ofSeconds(20));
    }

    /** The engine does not list parameters with a qualified name, so those that code has set cannot be found. */
    @Test
    void whatCodeHasSetForOneSessionIsNotSetForTheNext() throws IOException {
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows("CREATE FUNCTION log_in(who text) RETURNS text LANGUAGE plpgsql"
                    + " AS 'BEGIN RETURN set_config(''app.who'', who, false); END'");
            assertEquals("alice", session.value("SELECT log_in('alice')"));
            assertEquals("alice", session.value("SELECT current_setting('app.who')"));
            assertEquals("", other.value("SELECT coalesce(current_setting('app.who', true), '')"));
            other.rows("SET work_mem = '5MB'");
            session.value("SELECT log_in('alice')");
            assertEquals("", other.value("SELECT coalesce(current_setting('app.who', true), '')"));
            assertEquals("5MB", other.value("SHOW work_mem"));
        }
    }

    private static String process(WireSession session) throws IOException {
        return session.value("SELECT * FROM pg_backend_pid()");
    }
}
