package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code currval} and {@code lastval} return values that the session itself has drawn, on a connection that others use too. */
@Timeout(60)
class SequencesTest {
    private static final String NOT_YET_DEFINED = "55000";

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(1, 1)));

    @BeforeAll
    static void create() throws IOException {
        try (WireSession administrator = multimed.openEngine()) {
            administrator.rows("CREATE TABLE drawn (i serial, v int)");
            administrator.rows("CREATE TABLE plain (v int)");
            administrator.rows("INSERT INTO plain VALUES (1)");
        }
    }

    private static void assertNotYetDefined(WireSession session, String sql) throws IOException {
        List<Message> answer = session.query(sql);
        assertTrue(
                answer.stream()
                        .anyMatch(each -> each.type() == 'E' && each.sqlState().equals(NOT_YET_DEFINED)),
                answer.toString());
    }

    @Test
    void whatAnotherHasDrawnIsNotToldAfterAWriteOfOnesOwn() throws IOException {
        try (WireSession one = multimed.open();
                WireSession other = multimed.open()) {
            one.rows("SELECT nextval('drawn_i_seq')");
            assertEquals("t", one.value("SELECT currval('drawn_i_seq') > 0"));
            other.rows("BEGIN");
            other.rows("UPDATE plain SET v = v");
            assertNotYetDefined(other, "SELECT lastval()");
            other.rows("ROLLBACK");
            assertNotYetDefined(one, "SELECT currval('drawn_i_seq')");
            other.rows("BEGIN");
            other.rows("INSERT INTO plain SELECT 2 WHERE false");
            assertNotYetDefined(other, "SELECT currval('drawn_i_seq')");
            other.rows("ROLLBACK");
        }
    }

    @Test
    void whatAnotherHasDrawnIsNotToldAfterAReadOfOnesOwn() throws IOException {
        try (WireSession one = multimed.open();
                WireSession other = multimed.open()) {
            one.rows("SELECT nextval('drawn_i_seq')");
            other.rows("BEGIN");
            other.rows("SELECT v FROM plain");
            other.rows("COMMIT");
            assertNotYetDefined(other, "SELECT lastval()");
        }
    }

    @Test
    void whatAnotherHasDrawnIsNotToldOnAConnectionThatIsKept() throws IOException {
        try (WireSession one = multimed.open();
                WireSession other = multimed.open()) {
            one.rows("SELECT nextval('drawn_i_seq')");
            one.rows("SELECT currval('drawn_i_seq')");
            other.rows("CREATE TEMP TABLE mine (v int)");
            assertNotYetDefined(other, "SELECT lastval()");
        }
    }

    /** The first caller is a client of another event loop. */
    @Test
    void onceSomebodyHasAskedWhatAnotherHasDrawnIsToldNobody() throws IOException {
        multimed.restartEndpoint(
                options -> options.withLoops(2).withLimits(options.limits().withConnections(2, 2)));
        try (WireSession asking = multimed.open();
                WireSession one = multimed.open();
                WireSession between = multimed.open();
                WireSession other = multimed.open()) {
            assertNotYetDefined(asking, "SELECT lastval()");
            assertEquals("1", between.value("SELECT 1"));
            one.rows("SELECT nextval('drawn_i_seq')");
            String process = one.value("SELECT * FROM pg_backend_pid()");
            other.rows("BEGIN");
            other.rows("UPDATE plain SET v = v");
            assertEquals(process, other.value("SELECT * FROM pg_backend_pid()"), "they are clients of one loop");
            assertNotYetDefined(other, "SELECT lastval()");
        } finally {
            multimed.restartEndpoint(
                    options -> options.withLimits(options.limits().withConnections(1, 1)));
        }
    }

    @Test
    void whatTheSessionHasDrawnItIsTold() throws IOException {
        try (WireSession one = multimed.open();
                WireSession other = multimed.open()) {
            other.rows("SELECT nextval('drawn_i_seq')");
            one.rows("BEGIN");
            one.rows("UPDATE plain SET v = v");
            String drawn = one.value("INSERT INTO drawn (v) VALUES (1) RETURNING i");
            assertEquals(drawn, one.value("SELECT lastval()"));
            one.rows("UPDATE plain SET v = v");
            assertEquals(drawn, one.value("SELECT currval('drawn_i_seq')"));
            one.rows("COMMIT");
            assertEquals(drawn, one.value("SELECT lastval()"), "nobody had the connection in between");
            String next = one.value("SELECT nextval('drawn_i_seq')");
            assertEquals(next, one.value("SELECT currval('drawn_i_seq')"));
        }
    }
}
