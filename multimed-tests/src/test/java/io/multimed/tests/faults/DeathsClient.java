package io.multimed.tests.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** One connection of {@link SatelliteDeathsTest} that reads in one form, and knows the right answers. */
final class DeathsClient {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ReadingForm form;
    private final Random random;
    private final WireSession session;
    private final BooleanSupplier serving;
    private int asked;
    /** Whether the present read is for the Satellite, which served when the read began. */
    private boolean forSatellite;

    private final AtomicInteger hits = new AtomicInteger();
    private volatile boolean amid;

    /** @param serving whether there is a Satellite that serves */
    DeathsClient(ServerAddress address, ReadingForm form, Random random, BooleanSupplier serving) throws IOException {
        this.form = form;
        this.serving = serving;
        this.random = random;
        session = WireSession.open(address, "postgres", "postgres", PATIENCE);
        session.rows("SET deaths.client = '" + form + "'");
        session.send(FrontendBytes.parse("mine", "SELECT '" + form + "', $1::int"), FrontendBytes.sync());
        assertEquals("1Z", Message.types(session.ready()));
    }

    ReadingForm form() {
        return form;
    }

    /** Returns the number of deaths reported to it. */
    int hits() {
        return hits.get();
    }

    /** Whether it has received a part of its answer from the Satellite, or relies on a snapshot there. */
    boolean isAmid() {
        return amid;
    }

    Random random() {
        return random;
    }

    /** Reads in its form until the test is over. */
    void run(AtomicBoolean over) throws IOException {
        while (!over.get()) {
            forSatellite = serving.getAsBoolean();
            form.ask(this);
            amid = false;
            goesOn();
        }
        session.close();
    }

    /** Checks that a failure leaves nothing behind, and that nothing else is lost. */
    private void goesOn() throws IOException {
        int number = asked++;
        session.send(
                FrontendBytes.bind("", "mine", Integer.toString(number)),
                FrontendBytes.execute("", 0),
                FrontendBytes.parse("", "SELECT current_setting('deaths.client')"),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        List<Message> answer = session.ready();
        if (!isLoss(answer)) {
            assertEquals("2DC12DCZ", Message.types(answer), answer::toString);
            assertEquals(
                    List.of(form.toString(), Integer.toString(number)),
                    answer.get(1).texts());
            assertEquals(form.toString(), answer.get(5).texts().getFirst());
        }
        assertEquals('I', status(answer));
    }

    /** Whether the latest transaction was placed on a Satellite. */
    private boolean isOnSatellite() throws IOException {
        return session.value("SHOW multimed.route").startsWith("satellite");
    }

    // --- for its form

    void send(byte[]... messages) throws IOException {
        session.send(messages);
    }

    /** Executes a statement that cannot be lost. */
    void execute(String sql, String tag) throws IOException {
        List<Message> answer = session.query(sql);
        assertEquals("CZ", Message.types(answer), answer::toString);
        assertTrue(answer.getFirst().toString().contains(tag), answer::toString);
    }

    /** Returns the messages up to ReadyForQuery. */
    List<Message> ready() throws IOException {
        List<Message> answer = new ArrayList<>();
        do {
            answer.add(session.client().read());
            if ("Dd".indexOf(answer.getLast().type()) >= 0) {
                reads();
            }
        } while (answer.getLast().type() != 'Z');
        return answer;
    }

    /** Checks that the server sends nothing while the client sends nothing. */
    void thinks() throws IOException {
        for (int i = 0; i < 10; i++) {
            assertNull(session.client().poll(Duration.ofMillis(10)));
            reads();
        }
    }

    private void reads() {
        if (forSatellite && !amid) {
            amid = true;
        }
    }

    static char status(List<Message> answer) {
        return (char) answer.getLast().body()[0];
    }

    /** Whether the answer is lost with the Satellite; a client may see no other error. */
    boolean isLoss(List<Message> answer) throws IOException {
        boolean lost = isLossAmidPipeline(answer);
        if (lost && status(answer) == 'I') {
            assertTrue(isOnSatellite(), answer::toString);
        }
        return lost;
    }

    /** Whether an answer is lost with the Satellite, where other answers may follow. */
    boolean isLossAmidPipeline(List<Message> answer) {
        List<Message> errors =
                answer.stream().filter(m -> m.type() == 'E' || m.type() == 'N').toList();
        if (errors.isEmpty()) {
            return false;
        }
        assertEquals(1, errors.size(), errors::toString);
        Message error = errors.getFirst();
        assertEquals('E', error.type(), error::toString);
        assertEquals("40001", error.sqlState(), error::toString);
        assertEquals("ERROR", error.fields().get('V'), error::toString);
        assertTrue(String.valueOf(error.fields().get('M')).contains("Satellite"), error::toString);
        assertEquals('E', answer.get(answer.size() - 2).type(), answer::toString);
        hits.incrementAndGet();
        return true;
    }

    /** Checks that the failed block executes nothing more, and rolls it back. */
    void rollsBack() throws IOException {
        if (random.nextBoolean()) {
            List<Message> refused = session.query("SELECT 1");
            assertEquals("EZ", Message.types(refused));
            assertEquals("25P02", refused.getFirst().sqlState());
            assertEquals('E', status(refused));
        }
        execute(random.nextBoolean() ? "COMMIT" : "ROLLBACK", "ROLLBACK");
    }
}
