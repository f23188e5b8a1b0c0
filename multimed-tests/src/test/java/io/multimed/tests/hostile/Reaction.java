package io.multimed.tests.hostile;

import io.multimed.testkit.wire.ConnectionEnded;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A server's reaction to hostile input, as far as two servers must agree: types of messages, severities and SQLSTATEs, and
 * whether the connection survives. The wording may differ.
 */
record Reaction(List<String> said) {
    static final String CLOSED = "closed";
    static final String SURVIVES = "survives";

    Reaction {
        said = List.copyOf(said);
    }

    static Reaction of(String... said) {
        return new Reaction(List.of(said));
    }

    /** Returns the answer to a start-up that is accepted unchanged. */
    static Reaction welcome() {
        return of("Authentication", "ParameterStatus", "BackendKeyData", "ReadyForQuery", SURVIVES);
    }

    /**
     * Returns the same answer for comparison. PostgreSQL reports that the client is authenticated and then refuses the database
     * or a setting, while Multimed asks the Master first. For the client there is no difference.
     */
    Reaction refusedAtOnce() {
        return said.size() == 3
                        && said.getFirst().equals("Authentication")
                        && said.get(1).startsWith("FATAL")
                ? new Reaction(said.subList(1, 3))
                : this;
    }

    /** Returns everything up to the end of a connection that must end. */
    static Reaction untilClosed(WireClient client) throws IOException {
        List<String> said = new ArrayList<>();
        try {
            while (true) {
                add(said, client.read());
            }
        } catch (ConnectionEnded end) {
            said.add(CLOSED);
        }
        return new Reaction(said);
    }

    /** Returns everything up to ReadyForQuery, or to the end; then whether the connection still answers a query. */
    static Reaction untilReady(WireClient client) throws IOException {
        List<String> said = new ArrayList<>();
        try {
            Message message;
            do {
                message = client.read();
                add(said, message);
            } while (message.type() != 'Z');
            client.send(FrontendBytes.query("SELECT 'still here'"));
            boolean answered = client.readUntil("Z").stream()
                    .anyMatch(m -> m.type() == 'D' && m.texts().equals(List.of("still here")));
            said.add(answered ? SURVIVES : "answers, but not what was asked");
        } catch (ConnectionEnded end) {
            said.add(CLOSED);
        }
        return new Reaction(said);
    }

    /** Adds a message; many equal ones in a row, such as ParameterStatus, count as one. */
    private static void add(List<String> said, Message message) {
        String line = message.type() == 'E'
                ? message.fields().get('S') + " " + message.sqlState()
                : message.toString().split(" ", 2)[0];
        if (said.isEmpty() || !said.getLast().equals(line)) {
            said.add(line);
        }
    }
}
