package io.multimed.testkit.conversation;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A run of one script against one server, in a database of its own. */
public final class Conversation implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

    private static final Duration BETWEEN_CANCELS = Duration.ofMillis(100);

    private final ServerAddress address;
    private final String database;
    private final Map<String, WireSession> sessions = new LinkedHashMap<>();
    private final Map<String, Deque<Message>> notifications = new LinkedHashMap<>();
    private final Masks masks = new Masks();
    private @Nullable WireSession control;

    private Conversation(ServerAddress address, String database) {
        this.address = address;
        this.database = database;
        masks.database(database);
    }

    /**
     * Runs the script.
     *
     * @param address the server to talk to
     * @param admin where databases are created and dropped: the same server, or the engine behind it
     * @param database its name; created before and dropped after
     * @throws IOException when a step could not be done; the message names its line
     */
    public static Transcript run(Script script, ServerAddress address, ServerAddress admin, String database)
            throws IOException {
        try (WireSession owner = WireSession.open(admin, "postgres", "postgres", PATIENCE)) {
            owner.rows("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
            owner.rows("CREATE DATABASE " + database);
            try (Conversation conversation = new Conversation(address, database)) {
                return conversation.run(script);
            } finally {
                owner.rows("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
            }
        }
    }

    private Transcript run(Script script) throws IOException {
        List<List<String>> answers = new ArrayList<>();
        List<List<String>> exact = new ArrayList<>();
        for (Step step : script.steps()) {
            try {
                List<String> lines = run(step).stream().map(masks::exact).toList();
                exact.add(lines);
                answers.add(lines.stream().map(Masks::recorded).toList());
            } catch (IOException | RuntimeException e) {
                throw new IOException(
                        script.name() + ":" + step.line() + ": " + step.verb() + " " + step.rest() + ": " + e, e);
            }
        }
        return new Transcript(answers, exact);
    }

    private List<Message> run(Step step) throws IOException {
        return switch (step.verb()) {
            case "session" -> {
                open(step.session(), step.arguments());
                yield List.of();
            }
            case "ask" -> {
                send(step);
                int ready = (int) step.messages().stream()
                        .filter(MessageSyntax::endsInReady)
                        .count();
                yield until(step.session(), 'Z', ready);
            }
            case "send" -> {
                send(step);
                yield List.of();
            }
            case "until" -> {
                String[] words = step.arguments().split(" ", -1);
                yield until(step.session(), type(words[0]), words.length > 1 ? Integer.parseInt(words[1]) : 1);
            }
            case "end" -> session(step.session()).client().readToEnd();
            case "greeting" -> session(step.session()).greeting();
            case "notifications" -> notifications(step.session(), Integer.parseInt(step.arguments()));
            case "cancel" -> {
                session(step.session()).cancel();
                yield List.of();
            }
            case "cancelled" -> cancelled(session(step.session()));
            case "close" -> {
                session(step.session()).close();
                sessions.remove(step.session());
                yield List.of();
            }
            case "sql" -> {
                control().rows(step.rest());
                yield List.of();
            }
            case "await" -> {
                await(step.rest());
                yield List.of();
            }
            case "mask" -> {
                masks.add(step.rest());
                yield List.of();
            }
            default -> throw new IllegalArgumentException("unknown step");
        };
    }

    private void open(String name, String arguments) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", "postgres");
        parameters.put("database", database);
        parameters.put("application_name", name);
        for (String argument : arguments.isEmpty() ? new String[0] : arguments.split(" ", -1)) {
            String[] parts = argument.split("=", 2);
            parameters.put(parts[0], parts[1]);
        }
        WireSession session = WireSession.open(address, parameters, null, PATIENCE);
        sessions.put(name, session);
        notifications.put(name, new ArrayDeque<>());
        masks.session(name, session.pid());
    }

    private void send(Step step) throws IOException {
        session(step.session())
                .send(step.messages().stream().map(MessageSyntax::bytes).toArray(byte[][]::new));
    }

    private List<Message> until(String name, char type, int count) throws IOException {
        List<Message> messages = new ArrayList<>();
        int found = 0;
        while (found < count) {
            Message message;
            try {
                message = session(name).client().read();
            } catch (IOException e) {
                throw new IOException("after " + messages + ": " + e.getMessage(), e);
            }
            if (message.type() == 'A') {
                pending(name).add(message);
                continue;
            }
            messages.add(message);
            if (message.type() == type) {
                found++;
            }
        }
        return messages;
    }

    /**
     * Repeats a cancel request until the query ends: one request may come too early, before the server has begun the query. The
     * query's progress is random, too, so that only its end is an answer.
     */
    private static List<Message> cancelled(WireSession session) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Message first;
        do {
            if (System.nanoTime() > deadline) {
                throw new IOException("was not cancelled");
            }
            session.cancel();
            first = session.client().poll(BETWEEN_CANCELS);
        } while (first == null);
        List<Message> messages = new ArrayList<>(List.of(first));
        messages.addAll(session.ready());
        return messages.stream()
                .filter(message -> message.type() == 'E' || message.type() == 'Z')
                .toList();
    }

    private List<Message> notifications(String name, int count) throws IOException {
        while (pending(name).size() < count) {
            Message message = session(name).client().read();
            if (message.type() != 'A') {
                throw new IOException("not a notification: " + message);
            }
            pending(name).add(message);
        }
        List<Message> all = List.copyOf(pending(name));
        pending(name).clear();
        return all;
    }

    private Deque<Message> pending(String name) {
        Deque<Message> pending = notifications.get(name);
        if (pending == null) {
            throw new IllegalArgumentException("no session " + name);
        }
        return pending;
    }

    private void await(String sql) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!control().value(sql).equals("t")) {
            if (System.nanoTime() > deadline) {
                throw new IOException("did not become true");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    private WireSession session(String name) {
        WireSession session = sessions.get(name);
        if (session == null) {
            throw new IllegalArgumentException("no session " + name);
        }
        return session;
    }

    private WireSession control() throws IOException {
        if (control == null) {
            control = WireSession.open(address, "postgres", database, PATIENCE);
        }
        return control;
    }

    private static char type(String name) {
        return switch (name) {
            case "ReadyForQuery" -> 'Z';
            case "CopyInResponse" -> 'G';
            case "CopyOutResponse" -> 'H';
            case "CommandComplete" -> 'C';
            case "ParseComplete" -> '1';
            case "BindComplete" -> '2';
            case "CloseComplete" -> '3';
            case "DataRow" -> 'D';
            case "RowDescription" -> 'T';
            case "NoData" -> 'n';
            case "ErrorResponse" -> 'E';
            case "NoticeResponse" -> 'N';
            case "PortalSuspended" -> 's';
            default -> throw new IllegalArgumentException("unknown message type: " + name);
        };
    }

    @Override
    public void close() throws IOException {
        if (control != null) {
            control.close();
        }
        for (WireSession session : sessions.values()) {
            session.client().close();
        }
    }
}
