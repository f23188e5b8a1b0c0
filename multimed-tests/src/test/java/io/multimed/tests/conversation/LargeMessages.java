package io.multimed.tests.conversation;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.MessageText;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Conversations whose messages are too large for scripts: the server's answers, one line per message. */
final class LargeMessages {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private LargeMessages() {}

    /** Returns the answer to a query for a row of one value of that size, made by the server. */
    static List<String> row(ServerAddress address, int bytes) throws IOException {
        return with(address, session -> session.query("SELECT repeat('x', " + bytes + "), 'after'"));
    }

    /** Returns the answer to a parameter of that size, sent to the server and back. */
    static List<String> parameter(ServerAddress address, int bytes) throws IOException {
        return with(address, session -> {
            session.send(
                    FrontendBytes.parse("", "SELECT $1::text, length($1)"),
                    FrontendBytes.bind("", "", "p".repeat(bytes)),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            return session.ready();
        });
    }

    /** Returns the answer to a query text of that size. */
    static List<String> query(ServerAddress address, int bytes) throws IOException {
        return with(address, session -> session.query("SELECT length('" + "q".repeat(bytes) + "')"));
    }

    /** Returns the answer to a query for so many rows of a few bytes. */
    static List<String> rows(ServerAddress address, int rows) throws IOException {
        return with(address, session -> {
            List<Message> messages = session.query("SELECT i, 'row ' || i FROM generate_series(1, " + rows + ") AS i");
            long dataRows = messages.stream().filter(m -> m.type() == 'D').count();
            if (dataRows != rows) {
                throw new IOException(dataRows + " rows instead of " + rows);
            }
            return messages;
        });
    }

    /** Returns the answer to a statement with so many parameters. */
    static List<String> parameters(ServerAddress address, int count) throws IOException {
        return with(address, session -> {
            StringBuilder sql = new StringBuilder("SELECT coalesce(");
            String[] values = new String[count];
            int[] types = new int[count];
            for (int i = 1; i <= count; i++) {
                sql.append(i == 1 ? "$" : ", $").append(i);
                values[i - 1] = i == count ? "7" : null;
                types[i - 1] = 23;
            }
            session.send(
                    FrontendBytes.parse("", sql.append(")").toString(), types),
                    FrontendBytes.describe('S', ""),
                    FrontendBytes.bind("", "", values),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            return session.ready();
        });
    }

    /** Returns the answers to a COPY in both directions of so many lines of 1 kB. */
    static List<String> copy(ServerAddress address, int lines) throws IOException {
        return with(address, session -> {
            List<Message> messages = new ArrayList<>(session.query("CREATE TEMP TABLE large_copy (s text)"));
            session.send(FrontendBytes.query("COPY large_copy FROM STDIN"));
            messages.addAll(session.client().readUntil("G"));
            byte[] line =
                    FrontendBytes.copyData(("c".repeat(1023) + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            for (int i = 0; i < lines; i++) {
                session.send(line);
            }
            session.send(FrontendBytes.copyDone());
            messages.addAll(session.ready());
            messages.addAll(session.query("SELECT count(*), sum(length(s)) FROM large_copy"));
            messages.addAll(session.query("COPY large_copy TO STDOUT"));
            return messages;
        });
    }

    private interface Talk {
        List<Message> with(WireSession session) throws IOException;
    }

    private static List<String> with(ServerAddress address, Talk talk) throws IOException {
        try (WireSession session = WireSession.open(address, "postgres", "postgres", PATIENCE)) {
            return talk.with(session).stream().map(MessageText::line).toList();
        }
    }
}
