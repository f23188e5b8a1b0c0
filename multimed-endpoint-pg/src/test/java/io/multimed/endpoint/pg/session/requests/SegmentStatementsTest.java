package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.NotRead;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import io.multimed.testkit.wire.FrontendBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentStatementsTest {
    private final KnownStatements known = new KnownStatements();

    private SegmentStatements of(byte[]... messages) throws Exception {
        return SegmentStatements.of(known.scan(messages));
    }

    @Test
    void boundStatementsComeInOrderWithTheirMessages() throws Exception {
        SegmentStatements statements = of(
                FrontendBytes.parse("", "COMMIT"),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.bind("", "known"),
                FrontendBytes.sync());
        assertEquals(List.of(new Statement.Commit(false), new Statement.Read(false)), statements.all());
        assertEquals(1, statements.messageOf(0));
        assertEquals(3, statements.messageOf(1));
        assertEquals(List.of(), statements.before(1));
        assertEquals(List.of(new Statement.Commit(false)), statements.before(3));
    }

    @Test
    void aStatementThatIsOnlyPreparedHasNoEffectOnTheSession() throws Exception {
        SegmentStatements statements = of(FrontendBytes.parse("", "SELECT set_config()"), FrontendBytes.sync());
        assertEquals(
                List.of(new Statement.Update(NotRead.MAY_WRITE, SessionEffect.NONE, "function")), statements.all());
        assertEquals(1, statements.texts().size());
        assertArrayEquals(
                "SELECT set_config()".getBytes(StandardCharsets.US_ASCII),
                statements.texts().getFirst());
    }

    @Test
    void transactionControlThatIsOnlyPreparedOrDescribedIsLeftOut() throws Exception {
        assertEquals(
                List.of(),
                of(
                                FrontendBytes.parse("", "COMMIT"),
                                FrontendBytes.describe('S', ""),
                                FrontendBytes.describe('S', "begin"))
                        .all());
    }

    @Test
    void anUnknownNameMayDenoteAnyStatement() throws Exception {
        List<Statement> statements =
                of(FrontendBytes.bind("", "unknown"), FrontendBytes.sync()).all();
        assertEquals(
                NotRead.UNPARSED,
                assertInstanceOf(Statement.Update.class, statements.getFirst()).reason());
    }

    @Test
    void aRouteIsAnsweredAmongTheOthers() throws Exception {
        SegmentStatements statements = of(
                FrontendBytes.parse("", "SHOW multimed.route"),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        assertTrue(statements.asksRoute());
        assertEquals(List.of(), statements.all());
    }

    @Test
    void onlyABeginThatIsTheFirstStatementCountsAsOne() throws Exception {
        SegmentStatements begins =
                of(FrontendBytes.bind("", "begin"), FrontendBytes.execute("", 1), FrontendBytes.sync());
        assertFalse(begins.beginBefore(0));
        assertTrue(begins.beginBefore(1));
        assertFalse(of(FrontendBytes.bind("", "known"), FrontendBytes.bind("", "begin"))
                .beginBefore(2));
    }
}
