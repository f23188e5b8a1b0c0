package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.describe;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.query;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.WireSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client's names of prepared statements denote the same statements as with the engine alone. */
@Timeout(60)
class NamesAsInTheEngineTest {
    /** A statement that the Master executes. */
    private static final String FIVE = "SELECT 5 FROM pg_current_xact_id()";

    private static final String SIX = "SELECT 6 FROM pg_current_xact_id()";
    private static final String SEVEN = "SELECT 7 FROM pg_current_xact_id()";
    private static final Pattern PLACE = Pattern.compile(" F='.*");
    private static final byte[] FAIL = describe('P', "nothing");

    @RegisterExtension
    static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    /** A conversation with one session. */
    private static final class Talk {
        private final WireSession session;
        private final List<String> answers = new ArrayList<>();

        Talk(WireSession session) {
            this.session = session;
        }

        /** Sends messages at once and reads the answers of {@code units} ReadyForQuery messages. */
        Talk says(int units, byte[]... messages) throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] message : messages) {
                all.writeBytes(message);
            }
            session.send(all.toByteArray());
            for (int i = 0; i < units; i++) {
                // The place in the source is left out, because some errors are Multimed's own.
                session.ready()
                        .forEach(message ->
                                answers.add(PLACE.matcher(message.toString()).replaceFirst("")));
            }
            return this;
        }
    }

    private interface Conversation {
        void with(Talk session) throws IOException;
    }

    private static void assertAsInTheEngine(Conversation conversation) throws IOException {
        Talk direct;
        try (WireSession session = multimed.openEngine()) {
            direct = new Talk(session);
            conversation.with(direct);
        }
        try (WireSession session = multimed.open()) {
            Talk through = new Talk(session);
            conversation.with(through);
            assertEquals(String.join("\n", direct.answers), String.join("\n", through.answers));
        }
    }

    @Test
    void isFreeForTheNextUnitOfAPipelineIfTheEngineIgnoredTheMessage() throws IOException {
        assertAsInTheEngine(session -> session.says(
                        2, FAIL, parse("t", SIX), sync(), parse("t", SEVEN), bind("", "t"), execute("", 0), sync())
                .says(1, bind("", "t"), execute("", 0), sync()));
    }

    @Test
    void isFreeForTheNextUnitOfAPipelineIfTheEngineRefusedIt() throws IOException {
        assertAsInTheEngine(session -> session.says(
                        2,
                        parse("t", "SELECT nothing"),
                        sync(),
                        parse("t", SEVEN),
                        bind("", "t"),
                        execute("", 0),
                        sync())
                .says(1, bind("", "t"), execute("", 0), sync()));
    }

    @Test
    void isRefusedToTheNextUnitOfAPipelineForTheSameText() throws IOException {
        assertAsInTheEngine(
                session -> session.says(2, parse("t", "SELECT nothing"), sync(), parse("u", "SELECT nothing"), sync()));
    }

    @Test
    void isThereForTheNextUnitOfAPipelineThoughTheEngineIgnoredWhatPreparedItAnew() throws IOException {
        assertAsInTheEngine(session -> {
            session.says(1, parse("t", SIX), sync());
            // After this, no connection holds the statement.
            try (WireSession other = multimed.open()) {
                other.rows("DISCARD ALL");
            }
            session.says(2, FAIL, bind("", "t"), sync(), bind("", "t"), execute("", 0), sync());
        });
    }

    /** The unnamed statement is not one that another session has prepared on the connection that the session has now. */
    @Test
    void unnamedOneIsTheOneBeforeIfTheEngineIgnoredTheMessage() throws IOException {
        assertAsInTheEngine(session -> {
            session.says(1, parse("", FIVE), sync());
            somebodyElsePrepares();
            session.says(2, FAIL, parse("", SIX), sync(), bind("", ""), execute("", 0), sync());
        });
    }

    private static void somebodyElsePrepares() throws IOException {
        try (WireSession other = multimed.open()) {
            new Talk(other).says(1, parse("", "SELECT 55 FROM pg_current_xact_id()"), sync());
        }
    }

    @Test
    void unnamedOneIsTheOneBeforeAllThatTheEngineIgnored() throws IOException {
        assertAsInTheEngine(session -> {
            session.says(1, parse("", FIVE), sync())
                    .says(2, FAIL, parse("", SIX), sync(), FAIL, parse("", SEVEN), sync());
            somebodyElsePrepares();
            session.says(1, bind("", ""), execute("", 0), sync());
        });
    }

    @Test
    void unnamedOneIsGoneBehindAQueryThoughTheEngineIgnoredTheMessage() throws IOException {
        assertAsInTheEngine(session -> session.says(1, parse("", FIVE), sync())
                .says(2, FAIL, parse("", SIX), sync(), query(SEVEN))
                .says(1, bind("", ""), execute("", 0), sync()));
    }

    @Test
    void whatAnExecuteReturnsIsDescribed() throws IOException {
        assertAsInTheEngine(session -> session.says(1, parse("s", "SELECT 7 AS a, $1::int AS b"), sync())
                .says(1, parse("e", "EXECUTE s(3)"), describe('S', "e"), sync())
                .says(1, describe('S', "e"), bind("", "e"), execute("", 0), sync())
                .says(1, parse("", "EXECUTE s(4)"), describe('S', ""), bind("", ""), execute("", 0), sync())
                .says(1, bind("", ""), describe('P', ""), execute("", 0), sync())
                .says(1, parse("m", "EXECUTE missing"), describe('S', "m"), sync()));
    }

    @Test
    void whatAnExecuteReturnsIsDescribedToEachClientByItsOwnNames() throws IOException {
        assertAsInTheEngine(session -> {
            try (WireSession other = multimed.open()) {
                new Talk(other)
                        .says(1, parse("s", "SELECT 1 AS other"), parse("e", "EXECUTE s"), describe('S', "e"), sync());
                session.says(1, parse("s", "SELECT 2 AS own"), parse("e", "EXECUTE s"), describe('S', "e"), sync())
                        .says(2, describe('S', "e"), sync(), bind("", "e"), execute("", 0), sync());
            }
        });
    }

    @Test
    void whatAnExecuteReturnsIsDescribedThoughThatWasIgnoredBefore() throws IOException {
        assertAsInTheEngine(session -> session.says(1, parse("s", "SELECT 7 AS a"), parse("e", "EXECUTE s"), sync())
                .says(2, FAIL, describe('S', "e"), sync(), describe('S', "e"), bind("", "e"), execute("", 0), sync())
                .says(1, query("BEGIN"))
                .says(1, query("SELECT 1/0"))
                .says(1, describe('S', "e"), sync())
                .says(1, query("ROLLBACK"))
                .says(1, describe('S', "e"), bind("", "e"), execute("", 0), sync()));
    }
}
