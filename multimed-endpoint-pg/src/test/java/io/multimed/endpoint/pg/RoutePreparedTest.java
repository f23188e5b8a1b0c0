package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.close;
import static io.multimed.testkit.wire.FrontendBytes.describe;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.flush;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code SHOW multimed.route} in extended query messages, divided into segments as drivers do. */
@Timeout(60)
class RoutePreparedTest {
    private static final String SHOW = "SHOW multimed.route";
    private static final String ON_SATELLITE = "satellite-1: read on a fresh satellite";

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private WireSession session;

    @BeforeEach
    void open() throws IOException {
        session = multimed.open();
        session.rows("SELECT 1");
    }

    @AfterEach
    void closeSession() throws IOException {
        session.close();
    }

    @Test
    void preparedUnderANameInASegmentOfItsOwn() throws IOException {
        assertEquals("1tTZ", ask(parse("r", SHOW), describe('S', "r"), sync()));
        for (int i = 0; i < 2; i++) {
            assertAnswer("2DCZ", ON_SATELLITE, bind("", "r"), execute("", 0), sync());
        }
        assertEquals("3Z", ask(close('S', "r"), sync()));
        assertError("26000", bind("", "r"), execute("", 0), sync());
    }

    @Test
    void preparedWithoutANameInASegmentOfItsOwn() throws IOException {
        assertEquals("1Z", ask(parse("", SHOW), sync()));
        assertEquals("tTZ", ask(describe('S', ""), sync()));
        assertAnswer("2TDCZ", ON_SATELLITE, bind("", ""), describe('P', ""), execute("", 0), sync());
        session.rows("SELECT 2");
        assertError("26000", bind("", ""), execute("", 0), sync());
    }

    @Test
    void preparedAndExecutedInOneSegmentAndExecutedAgain() throws IOException {
        assertAnswer(
                "12TDCZ", ON_SATELLITE, parse("r", SHOW), bind("", "r"), describe('P', ""), execute("", 0), sync());
        assertAnswer("2DCZ", ON_SATELLITE, bind("", "r"), execute("", 0), sync());
        assertAnswer(
                "312DCZ", ON_SATELLITE, close('S', "r"), parse("r", SHOW), bind("p", "r"), execute("p", 0), sync());
    }

    @Test
    void closesWhatWasPreparedBeforeOnTheWay() throws IOException {
        ask(parse("s", "SELECT 1"), sync());
        session.rows("SELECT 1");
        assertAnswer("312DCZ", ON_SATELLITE, close('S', "s"), parse("", SHOW), bind("", ""), execute("", 0), sync());
        assertEquals("1Z", ask(parse("s", "SELECT 2"), sync()));
    }

    @Test
    void binaryResultsAreDescribedAsSuch() throws IOException {
        ask(parse("r", SHOW), sync());
        session.send(bind("", "r", List.of(), new byte[0][], List.of(1)), describe('P', ""), execute("", 0), sync());
        List<Message> answer = session.ready();
        assertEquals("2TDCZ", types(answer));
        ByteBuffer description = answer.get(1).reader();
        assertEquals(1, description.getShort(description.limit() - 2));
    }

    @Test
    void amongOtherStatementsOfAPipeline() throws IOException {
        ask(parse("one", "SELECT 1"), sync());
        session.send(
                parse("", "SELECT 7"),
                bind("", ""),
                execute("", 0),
                parse("r", SHOW),
                describe('S', "r"),
                bind("", "r"),
                execute("", 0),
                bind("", "one"),
                execute("", 0),
                sync());
        List<Message> answer = session.ready();
        assertEquals("12DC1tT2DC2DCZ", types(answer));
        assertEquals(List.of("7", ON_SATELLITE, "1"), rows(answer));
    }

    @Test
    void behindAFlush() throws IOException {
        session.send(parse("r", SHOW), describe('S', "r"), flush());
        assertEquals("1tT", types(session.client().readUntil("T")));
        session.send(bind("", "r"), execute("", 0), flush());
        List<Message> executed = session.client().readUntil("C");
        assertEquals("2DC", types(executed));
        assertEquals("Z", ask(sync()));
    }

    @Test
    void withinATransactionBlockItsPortalLastsUntilTheEnd() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        assertEquals("1tTZ", ask(parse("r", SHOW), describe('S', "r"), sync()));
        assertEquals("2Z", ask(bind("p", "r"), sync()));
        assertAnswer("TDCZ", ON_SATELLITE, describe('P', "p"), execute("p", 0), sync());
        session.rows("COMMIT");
        assertError("34000", execute("p", 0), sync());
    }

    @Test
    void outsideABlockItsPortalLastsUntilTheSync() throws IOException {
        assertAnswer("12DCZ", ON_SATELLITE, parse("r", SHOW), bind("p", "r"), execute("p", 0), sync());
        assertError("34000", execute("p", 0), sync());
        session.send(bind("p", "r"), flush());
        assertEquals('2', session.client().read().type());
        assertEquals("Z", ask(sync()));
        assertError("34000", execute("p", 0), sync());
    }

    @Test
    void underANameThatIsNoTextTheEngineRefusesIt() throws IOException {
        byte[] named = new FrontendBytes.Bytes()
                .int8(0xff)
                .int8(0)
                .string(SHOW)
                .int16(0)
                .toArray();
        assertError("22021", FrontendBytes.message('P', named), sync());
        assertEquals("1Z", ask(parse("r", SHOW), sync()));
    }

    @Test
    void togetherWithOtherStatementsInOneQueryItIsRefused() throws IOException {
        session.send(FrontendBytes.query("SELECT 1; SHOW multimed.route"));
        List<Message> answer = session.ready();
        assertEquals("EZ", types(answer), answer::toString);
        assertEquals("0A000", answer.getFirst().sqlState());
    }

    @Test
    void cannotBePreparedTwiceUnderOneName() throws IOException {
        assertEquals("1Z", ask(parse("r", SHOW), sync()));
        assertError("42P05", parse("r", SHOW), sync());
        assertError("42P05", parse("r", "SELECT 1"), sync());
        assertAnswer("2DCZ", ON_SATELLITE, bind("", "r"), execute("", 0), sync());
    }

    @Test
    void isNotPreparedBehindAnError() throws IOException {
        assertError("42P01", parse("", "SELECT * FROM nothing"), parse("r", SHOW), sync());
        assertEquals("1Z", ask(parse("r", SHOW), sync()));
    }

    @Test
    void byADriverThatPreparesOnTheServer() throws SQLException {
        try (Connection connection = multimed.connect("prepareThreshold=1");
                PreparedStatement read = connection.prepareStatement("SELECT ?::int");
                PreparedStatement show = connection.prepareStatement(SHOW)) {
            for (int i = 0; i < 4; i++) {
                read.setInt(1, i);
                read.executeQuery().close();
                try (ResultSet route = show.executeQuery()) {
                    assertTrue(route.next());
                    assertEquals(ON_SATELLITE, route.getString(1));
                }
            }
        }
    }

    private String ask(byte[]... messages) throws IOException {
        session.send(messages);
        return types(session.ready());
    }

    private void assertAnswer(String types, String route, byte[]... messages) throws IOException {
        session.send(messages);
        List<Message> answer = session.ready();
        assertEquals(types, types(answer), answer::toString);
        assertEquals(List.of(route), rows(answer));
    }

    private void assertError(String sqlState, byte[]... messages) throws IOException {
        session.send(messages);
        List<Message> answer = session.ready();
        assertEquals("EZ", types(answer), answer::toString);
        assertEquals(sqlState, answer.getFirst().sqlState());
    }

    private static List<String> rows(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.type() == 'D')
                .map(message -> message.texts().getFirst())
                .toList();
    }
}
