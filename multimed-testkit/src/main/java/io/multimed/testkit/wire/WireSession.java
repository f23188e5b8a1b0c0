package io.multimed.testkit.wire;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection that has started up, with the server's messages on the way. For one thread at a time. */
public final class WireSession implements AutoCloseable {
    private final ServerAddress address;
    private final WireClient client;
    private final List<Message> greeting;
    private int pid;
    private byte[] secret = new byte[0];

    private WireSession(ServerAddress address, WireClient client, List<Message> greeting) {
        this.address = address;
        this.client = client;
        this.greeting = List.copyOf(greeting);
        for (Message message : greeting) {
            if (message.type() == 'K') {
                pid = message.reader().getInt();
                secret = new byte[message.body().length - 4];
                message.reader().get(4, secret);
            }
        }
    }

    public static WireSession open(ServerAddress address, String user, String database, Duration patience)
            throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", user);
        parameters.put("database", database);
        return open(address, parameters, null, patience);
    }

    /**
     * Starts up and reads until the server is ready.
     *
     * @param password for SCRAM-SHA-256 or clear text, or null where none is asked for
     * @throws IOException also when the server refuses: the message is its ErrorResponse
     */
    public static WireSession open(
            ServerAddress address, Map<String, String> parameters, @Nullable String password, Duration patience)
            throws IOException {
        WireClient client = WireClient.connect(address, patience);
        try {
            client.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters));
            List<Message> greeting = new ArrayList<>();
            @Nullable ScramClient scram = null;
            while (true) {
                Message message = client.read();
                greeting.add(message);
                if (message.type() == 'E') {
                    throw new IOException("refused: " + message);
                }
                if (message.type() == 'Z') {
                    return new WireSession(address, client, greeting);
                }
                if (message.type() == 'R' && message.reader().getInt() != 0) {
                    if (password == null) {
                        throw new IOException("a password is asked for: " + message);
                    }
                    scram = answer(client, message, scram, password);
                }
            }
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static @Nullable ScramClient answer(
            WireClient client, Message message, @Nullable ScramClient scram, String password) throws IOException {
        try {
            switch (message.reader().getInt()) {
                case 3 -> client.send(FrontendBytes.password(password));
                case 10 -> {
                    ScramClient begun = new ScramClient(password);
                    client.send(begun.first());
                    return begun;
                }
                case 11 -> {
                    if (scram == null) {
                        throw new IOException("SASL continued before it began");
                    }
                    client.send(scram.last(message));
                }
                case 12 -> {
                    if (scram == null || !scram.accepts(message)) {
                        throw new IOException("the server does not know the password");
                    }
                }
                default -> throw new IOException("authentication not known here: " + message);
            }
            return scram;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Returns the messages that the server sent from the first byte to its first ReadyForQuery. */
    public List<Message> greeting() {
        return greeting;
    }

    public WireClient client() {
        return client;
    }

    public int pid() {
        return pid;
    }

    public byte[] secret() {
        return secret.clone();
    }

    public void send(byte[]... parts) throws IOException {
        client.send(parts);
    }

    /** Reads up to the next ReadyForQuery. */
    public List<Message> ready() throws IOException {
        return client.readUntil("Z");
    }

    /** Sends one simple query and reads up to ReadyForQuery. */
    public List<Message> query(String sql) throws IOException {
        client.send(FrontendBytes.query(sql));
        return ready();
    }

    /**
     * Runs statements that must succeed.
     *
     * @return the rows of all of them as text
     * @throws IOException also when one fails
     */
    public List<List<@Nullable String>> rows(String sql) throws IOException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (Message message : query(sql)) {
            if (message.type() == 'E') {
                throw new IOException(sql + ": " + message);
            }
            if (message.type() == 'D') {
                rows.add(message.texts());
            }
        }
        return rows;
    }

    /** Runs a query that must return a value in its first row. */
    public String value(String sql) throws IOException {
        List<List<@Nullable String>> rows = rows(sql);
        String value = rows.isEmpty() ? null : rows.getFirst().getFirst();
        if (value == null) {
            throw new IOException(sql + ": no value");
        }
        return value;
    }

    /** Requests the server, over a connection of its own, to cancel this session's statement; returns once it has closed. */
    public void cancel() throws IOException {
        cancel(pid, secret);
    }

    /** Sends a cancel request with any pid and secret. */
    public void cancel(int pid, byte[] secret) throws IOException {
        try (WireClient canceller = WireClient.connect(address, Duration.ofSeconds(30))) {
            canceller.send(FrontendBytes.cancel(pid, secret));
            canceller.readToEnd();
        }
    }

    @Override
    public void close() throws IOException {
        try (client) {
            client.send(FrontendBytes.terminate());
        }
    }
}
