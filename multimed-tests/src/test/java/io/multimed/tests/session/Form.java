package io.multimed.tests.session;

import io.multimed.testkit.wire.ConnectionEnded;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** A way to send statements by protocol messages, and to receive all answers of the server. */
enum Form {
    /** One Query message for each statement. */
    QUERY {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            for (String statement : statements) {
                session.send(FrontendBytes.query(statement));
                hear(session, "Z", answers);
            }
        }
    },
    /** One Query message for all statements. */
    ONE_QUERY {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            session.send(FrontendBytes.query(String.join(";", statements)));
            hear(session, "Z", answers);
        }
    },
    /** Query messages, all of them sent before the first is answered. */
    PIPELINED_QUERIES {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            session.send(statements.stream().map(FrontendBytes::query).toArray(byte[][]::new));
            for (int i = 0; i < statements.size(); i++) {
                hear(session, "Z", answers);
            }
        }
    },
    /** Parse, Bind, Describe of the portal, Execute and Sync for each. */
    SYNC {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            for (String statement : statements) {
                session.send(
                        FrontendBytes.parse("", statement),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.describe('P', ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
                hear(session, "Z", answers);
            }
        }
    },
    /**
     * The same as SYNC, with pauses for all but the first. The pauses are so long that Multimed sends the Parse alone, and then
     * the Bind.
     */
    PAUSED {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            SYNC.exchange(session, statements.subList(0, 1), answers);
            for (String statement : statements.subList(1, statements.size())) {
                session.send(FrontendBytes.parse("", statement));
                LockSupport.parkNanos(PAUSE_NANOS);
                session.send(FrontendBytes.bind("", ""), FrontendBytes.describe('P', ""));
                LockSupport.parkNanos(PAUSE_NANOS);
                session.send(FrontendBytes.execute("", 0), FrontendBytes.sync());
                hear(session, "Z", answers);
            }
        }
    },
    /** The same as {@link #SYNC}, with all messages sent before the first is answered. */
    PIPELINED_SYNC {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            List<byte[]> parts = new ArrayList<>();
            for (String statement : statements) {
                parts.add(FrontendBytes.parse("", statement));
                parts.add(FrontendBytes.bind("", ""));
                parts.add(FrontendBytes.describe('P', ""));
                parts.add(FrontendBytes.execute("", 0));
                parts.add(FrontendBytes.sync());
            }
            session.send(parts.toArray(byte[][]::new));
            for (int i = 0; i < statements.size(); i++) {
                hear(session, "Z", answers);
            }
        }
    },
    /** The same with a single Sync behind all. */
    ONE_SYNC {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            List<byte[]> parts = new ArrayList<>();
            for (String statement : statements) {
                parts.add(FrontendBytes.parse("", statement));
                parts.add(FrontendBytes.bind("", ""));
                parts.add(FrontendBytes.describe('P', ""));
                parts.add(FrontendBytes.execute("", 0));
            }
            parts.add(FrontendBytes.sync());
            session.send(parts.toArray(byte[][]::new));
            hear(session, "Z", answers);
        }
    },
    /** Each is parsed and described with a Flush behind, then bound and executed with a Sync behind, as asyncpg does. */
    DESCRIBED_FIRST {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            int number = 0;
            for (String statement : statements) {
                String name = "described_" + number++;
                session.send(
                        FrontendBytes.parse(name, statement), FrontendBytes.describe('S', name), FrontendBytes.flush());
                if (hear(session, "TnE", answers)) {
                    session.send(FrontendBytes.bind("", name), FrontendBytes.execute("", 0), FrontendBytes.sync());
                } else {
                    session.send(FrontendBytes.sync());
                }
                hear(session, "Z", answers);
            }
            for (int i = 0; i < number; i++) {
                session.send(FrontendBytes.close('S', "described_" + i));
            }
            session.send(FrontendBytes.sync());
            hear(session, "Z", answers);
        }
    },
    /** Each is parsed and described with a Sync behind, then bound and executed with another. */
    DESCRIBED_WITH_SYNC {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            for (String statement : statements) {
                session.send(FrontendBytes.parse("", statement), FrontendBytes.describe('S', ""), FrontendBytes.sync());
                if (hear(session, "TnE", answers)) {
                    hear(session, "Z", answers);
                    session.send(FrontendBytes.bind("", ""), FrontendBytes.execute("", 0), FrontendBytes.sync());
                }
                hear(session, "Z", answers);
            }
        }
    },
    /** Each with Flush behind, and a single Sync at the end. */
    FLUSH {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            for (String statement : statements) {
                session.send(
                        FrontendBytes.parse("", statement),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.flush());
                if (!hear(session, "CIsE", answers)) {
                    break;
                }
            }
            session.send(FrontendBytes.sync());
            hear(session, "Z", answers);
        }
    },
    /** Every message with a Flush behind it, and a Sync behind each statement. */
    FLUSH_EACH_MESSAGE {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            for (String statement : statements) {
                session.send(FrontendBytes.parse("", statement), FrontendBytes.flush());
                if (hear(session, "1E", answers)) {
                    session.send(FrontendBytes.bind("", ""), FrontendBytes.flush());
                    if (hear(session, "2E", answers)) {
                        session.send(FrontendBytes.describe('P', ""), FrontendBytes.flush());
                        if (hear(session, "TnE", answers)) {
                            session.send(FrontendBytes.execute("", 0), FrontendBytes.flush());
                            hear(session, "CIsE", answers);
                        }
                    }
                }
                session.send(FrontendBytes.sync());
                hear(session, "Z", answers);
            }
        }
    },
    /** A BEGIN by Query, the others parsed and described with Flush. */
    QUERY_THEN_FLUSH {
        @Override
        void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException {
            int last = statements.size() - 1;
            QUERY.exchange(session, statements.subList(0, last), answers);
            DESCRIBED_FIRST.exchange(session, statements.subList(last, last + 1), answers);
        }
    };

    /** A pause longer than Multimed waits for the rest of a segment before it sends the available part. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private static final Pattern TABLE = Pattern.compile("table=\\d+");

    /** Sends the statements, and adds the server's answers, up to the end of the connection if it ends. */
    abstract void exchange(WireSession session, List<String> statements, List<Message> answers) throws IOException;

    /**
     * Returns the answers to the statements, one a line.
     *
     * @throws IOException if the server does not answer in time
     */
    String answers(WireSession session, List<String> statements) throws IOException {
        List<Message> answers = new ArrayList<>();
        String end = "";
        try {
            exchange(session, statements, answers);
        } catch (ConnectionEnded ended) {
            end = "connection ended\n";
        }
        return readable(answers) + end;
    }

    static String readable(List<Message> answers) {
        StringBuilder lines = new StringBuilder();
        for (Message message : answers) {
            if (message.type() == 'E' || message.type() == 'N') {
                var fields = message.fields();
                lines.append(message.type() == 'E' ? "Error " : "Notice ")
                        .append(fields.get('V'))
                        .append(' ')
                        .append(fields.get('C'))
                        .append(' ')
                        .append(fields.get('M'));
            } else {
                // OIDs of tables differ between two servers.
                lines.append(TABLE.matcher(message.toString()).replaceAll("table"));
            }
            lines.append('\n');
        }
        return lines.toString();
    }

    /** @return whether it ended without an error */
    private static boolean hear(WireSession session, String until, List<Message> answers) throws IOException {
        Message message;
        do {
            message = session.client().read();
            answers.add(message);
        } while (until.indexOf(message.type()) < 0);
        return message.type() != 'E';
    }
}
