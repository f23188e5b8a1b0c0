package io.multimed.tests.history;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A session of raw messages: simple, extended, or prepared once and executed often. */
final class WireHistorySession implements HistorySession {
    /** The protocol in which statements are sent. */
    enum Protocol {
        SIMPLE,
        EXTENDED,
        PREPARED,
        /** The three protocols in turn. */
        MIXED
    }

    private final WireSession session;
    private final Protocol protocol;
    private final boolean multimed;
    private final Map<String, String> prepared = new HashMap<>();
    private int statements;

    /**
     * @param multimed whether the server can report where something ran; else it is the Master itself
     */
    WireHistorySession(WireSession session, Protocol protocol, boolean multimed) {
        this.session = session;
        this.protocol = protocol;
        this.multimed = multimed;
    }

    @Override
    public void begin(Kind kind) throws Failed {
        execute(kind.sql);
    }

    @Override
    public void commit() throws Failed {
        execute("COMMIT");
    }

    @Override
    public void rollback() throws Failed {
        execute("ROLLBACK");
    }

    @Override
    public void executeTogether(String sql) throws Failed {
        answer(FrontendBytes.query(sql));
    }

    @Override
    public void execute(String sql, long... parameters) throws Failed {
        query(sql, parameters);
    }

    @Override
    public List<long[]> query(String sql, long... parameters) throws Failed {
        Protocol now = protocol;
        if (protocol == Protocol.MIXED) {
            now = Protocol.values()[statements++ % 3];
        }
        List<Message> answer = switch (now) {
            case SIMPLE -> answer(FrontendBytes.query(withLiterals(sql, parameters)));
            case EXTENDED ->
                answer(
                        FrontendBytes.parse("", numbered(sql)),
                        FrontendBytes.bind("", "", texts(parameters)),
                        FrontendBytes.describe('P', ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
            case PREPARED, MIXED -> prepared(sql, parameters);
        };
        List<long[]> rows = new ArrayList<>();
        for (Message message : answer) {
            if (message.type() == 'D') {
                rows.add(message.texts().stream()
                        .mapToLong(text -> Long.parseLong(Objects.requireNonNull(text)))
                        .toArray());
            }
        }
        return rows;
    }

    private List<Message> prepared(String sql, long... parameters) throws Failed {
        String name = prepared.get(sql);
        if (name == null) {
            name = "s" + prepared.size();
            answer(FrontendBytes.parse(name, numbered(sql)), FrontendBytes.sync());
            prepared.put(sql, name);
        }
        return answer(
                FrontendBytes.bind("", name, texts(parameters)), FrontendBytes.execute("", 0), FrontendBytes.sync());
    }

    private List<Message> answer(byte[]... messages) throws Failed {
        try {
            session.send(messages);
            List<Message> answer = session.ready();
            for (Message message : answer) {
                if (message.type() == 'E') {
                    throw new Failed(message.sqlState(), false, message.toString());
                }
            }
            return answer;
        } catch (IOException e) {
            throw new Failed("08006", true, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean onMaster() throws Failed {
        return node().equals("master");
    }

    @Override
    public String node() throws Failed {
        if (!multimed) {
            return "master";
        }
        for (Message message : answer(FrontendBytes.query("SHOW multimed.route"))) {
            if (message.type() == 'D') {
                String route = Objects.requireNonNull(message.texts().getFirst());
                int end = route.indexOf(':');
                return end < 0 ? route : route.substring(0, end);
            }
        }
        throw new Failed("XX000", false, "SHOW multimed.route has no row");
    }

    private static String withLiterals(String sql, long... parameters) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == '?') {
                text.append(parameters[next++]);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static String numbered(String sql) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            text.append(c == '?' ? "$" + ++next : String.valueOf(c));
        }
        return text.toString();
    }

    private static String[] texts(long... parameters) {
        String[] texts = new String[parameters.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = Long.toString(parameters[i]);
        }
        return texts;
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (IOException ignored) {
            // The session was lost before.
        }
    }
}
