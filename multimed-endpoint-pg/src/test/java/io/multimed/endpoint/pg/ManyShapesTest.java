package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements of many new shapes, as generated scripts and batches send them. */
@Timeout(120)
@Tag("slow")
class ManyShapesTest {
    @RegisterExtension
    private static final EndpointOnOneEngine MULTIMED = new EndpointOnOneEngine();

    /** Form in which statements are sent. */
    private enum Form {
        ONE_QUERY(false),
        PARSES(false),
        ONE_SEGMENT(false),
        SEGMENTS(true),
        QUERIES(true);

        private final boolean readyForEach;

        Form(boolean readyForEach) {
            this.readyForEach = readyForEach;
        }

        byte[] messages(List<String> statements) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            if (this == ONE_QUERY) {
                return FrontendBytes.query(String.join(";", statements));
            }
            for (String sql : statements) {
                if (this == QUERIES) {
                    out.writeBytes(FrontendBytes.query(sql));
                    continue;
                }
                out.writeBytes(FrontendBytes.parse("", sql));
                if (this != PARSES) {
                    out.writeBytes(FrontendBytes.bind("", ""));
                    out.writeBytes(FrontendBytes.execute("", 0));
                }
                if (this == SEGMENTS) {
                    out.writeBytes(FrontendBytes.sync());
                }
            }
            if (!readyForEach) {
                out.writeBytes(FrontendBytes.sync());
            }
            return out.toByteArray();
        }

        List<Message> answers(WireSession session, int statements) throws IOException {
            List<Message> all = new ArrayList<>();
            for (int i = readyForEach ? statements : 1; i > 0; i--) {
                all.addAll(session.ready());
            }
            return all;
        }
    }

    private static List<String> shapes(String name, int count, Random random) {
        return IntStream.range(0, count)
                .mapToObj(i -> random.nextInt(50) == 0
                        ? "set application_name = " + name + i
                        : "select " + i + " as " + name + '_' + i)
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void areAnsweredAsByPostgresql(Form form) throws Exception {
        Random random = new Random(form.ordinal());
        for (int count : new int[] {1, 2, 63, 64, 65, 66, 300, 3_000, 10_000}) {
            byte[] messages = form.messages(shapes("c" + form.ordinal(), count, random));
            try (WireSession plain = MULTIMED.openEngine();
                    WireSession session = MULTIMED.open()) {
                plain.send(messages);
                List<String> expected = texts(form.answers(plain, count));
                for (int round = 0; round < 2; round++) {
                    session.send(messages);
                    assertEquals(expected, texts(form.answers(session, count)), count + " statements");
                }
                assertEquals(List.of(List.of("1")), session.rows("SELECT 1"));
            }
        }
        EndpointTest.await(ManyShapesTest::theParserIsIdle);
    }

    /** Returns the messages without changes of parameters, which the engine reports at any time, and notices. */
    private static List<String> texts(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.type() != 'S' && message.type() != 'N')
                .map(Message::toString)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void canBeCancelledAtAnyPoint(Form form) throws Exception {
        Random random = new Random(form.ordinal());
        try (WireSession session = MULTIMED.open()) {
            for (int round = 0; round < 30; round++) {
                int count = 1 + random.nextInt(300);
                // The last statement does not end by itself.
                List<String> statements = shapes("k" + form.ordinal() + '_' + round, count, random);
                statements.add("select pg_sleep(600)");
                session.send(form.messages(statements));
                session.cancel();
                int left = form.readyForEach ? count + 1 : 1;
                boolean cancelled = form == Form.PARSES;
                while (left > 0) {
                    Message message = session.client().poll(java.time.Duration.ofMillis(50));
                    if (message == null) {
                        session.cancel();
                    } else if (message.type() == 'Z') {
                        left--;
                    } else if (message.type() == 'E') {
                        assertTrue(message.toString().contains("57014"), message::toString);
                        cancelled = true;
                    }
                }
                assertTrue(cancelled);
                assertEquals(List.of(List.of("1")), session.rows("SELECT 1"));
            }
        }
        EndpointTest.await(ManyShapesTest::theParserIsIdle);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void nothingGoesOnForAClientThatHasGone(Form form) throws Exception {
        Random random = new Random(form.ordinal());
        for (int round = 0; round < 20; round++) {
            byte[] messages = form.messages(shapes("g" + form.ordinal() + '_' + round, 2_000, random));
            try (WireSession session = MULTIMED.open();
                    WireClient client = session.client()) {
                client.send(java.util.Arrays.copyOf(messages, random.nextInt(messages.length)));
            }
        }
        EndpointTest.await(ManyShapesTest::theParserIsIdle);
        try (WireSession session = MULTIMED.open()) {
            assertEquals(List.of(List.of("1")), session.rows("SELECT 1"));
        }
    }

    @Test
    void aLongSegmentMayComeByteByByte() throws Exception {
        byte[] messages = Form.ONE_SEGMENT.messages(shapes("t", 100, new Random(1)));
        try (WireSession plain = MULTIMED.openEngine();
                WireSession session = MULTIMED.open()) {
            plain.send(messages);
            List<String> expected = texts(plain.ready());
            for (byte each : messages) {
                session.send(new byte[] {each});
            }
            assertEquals(expected, texts(session.ready()));
        }
    }

    private static boolean theParserIsIdle() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("multimed-sql-parser"))
                .allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }
}
