package io.multimed.testkit.sequence;

import io.multimed.testkit.conversation.Masks;
import io.multimed.testkit.conversation.MessageSyntax;
import io.multimed.testkit.wire.ConnectionEnded;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plays one sequence on a connection of its own, and ends it so that every answer has been received. */
final class SequencePlayer implements AutoCloseable {
    private static final Duration TO_CONNECT = Duration.ofSeconds(60);
    /** Time after which a server on this machine has answered, or will not answer before it receives more. */
    private static final Duration QUIET = Duration.ofMillis(5);

    private static final String END = "the end of the sequence";
    /** Messages that end a COPY, a series without Sync, and a transaction block, and show the sequence's remains. */
    private static final byte[][] ENDING = {
        FrontendBytes.copyFail("end"),
        FrontendBytes.sync(),
        FrontendBytes.query("ROLLBACK"),
        FrontendBytes.query(
                "SELECT '" + END + "', (SELECT string_agg(id || ':' || coalesce(v, '-'), ' ' ORDER BY id) FROM t)")
    };

    private final WireSession session;
    private final Duration patience;
    private final Masks masks = new Masks();
    private final List<String> lines = new ArrayList<>();
    private final List<Integer> receivedBy = new ArrayList<>();
    private int readies;
    private boolean ended;
    private boolean silent;
    /** Whether the next ReadyForQuery is the last message. */
    private boolean atEnd;

    private SequencePlayer(WireSession session, Duration patience) {
        this.session = session;
        this.patience = patience;
        masks.session("itself", session.pid());
    }

    /**
     * Plays the sequence.
     *
     * @param model PostgreSQL's answers, so that the client waits for as many; null to record them
     */
    static ReceivedMessages play(
            MessageSequence sequence,
            ServerAddress server,
            String database,
            Duration patience,
            @Nullable ReceivedMessages model)
            throws IOException {
        WireSession session = WireSession.open(server, "postgres", database, TO_CONNECT);
        try (SequencePlayer player = new SequencePlayer(session, patience)) {
            return player.play(sequence, model);
        }
    }

    private ReceivedMessages play(MessageSequence sequence, @Nullable ReceivedMessages model) throws IOException {
        try {
            int expected = 0;
            for (int i = 0; i < sequence.bursts().size() && !silent; i++) {
                List<String> burst = sequence.bursts().get(i);
                session.send(burst.stream().map(MessageSyntax::bytes).toArray(byte[][]::new));
                expected +=
                        (int) burst.stream().filter(MessageSyntax::endsInReady).count();
                if (model == null) {
                    awaitQuiet(MessageSyntax.endsInReady(burst.getLast()) ? expected : Integer.MAX_VALUE);
                } else if (i < model.receivedBy().size()) {
                    await(model.receivedBy().get(i));
                }
                receivedBy.add(lines.size());
            }
            if (!silent) {
                session.send(ENDING);
                awaitEnd();
            }
        } catch (ConnectionEnded end) {
            ended = true;
        }
        return new ReceivedMessages(lines, receivedBy, ended, silent);
    }

    /** Receives until no message comes any more, or the ReadyForQuery with this number has come. */
    private void awaitQuiet(int expected) throws IOException {
        while (readies < expected) {
            Message message = session.client().poll(QUIET);
            if (message == null) {
                return;
            }
            received(message);
        }
    }

    private void await(int count) throws IOException {
        while (lines.size() < count && !silent) {
            receiveOrGiveUp();
        }
    }

    private void awaitEnd() throws IOException {
        boolean over = false;
        while (!over && !silent) {
            int before = readies;
            boolean wasAtEnd = atEnd;
            receiveOrGiveUp();
            over = wasAtEnd && readies > before;
        }
    }

    private void receiveOrGiveUp() throws IOException {
        Message message = session.client().poll(patience);
        if (message == null) {
            silent = true;
        } else {
            received(message);
        }
    }

    private void received(Message message) {
        String line = Masks.recorded(masks.exact(message));
        lines.add(line);
        if (message.type() == 'Z') {
            readies++;
        } else if (message.type() == 'D' && line.contains(END)) {
            atEnd = true;
        }
    }

    @Override
    public void close() throws IOException {
        session.client().close();
    }
}
