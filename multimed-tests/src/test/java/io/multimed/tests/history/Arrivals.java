package io.multimed.tests.history;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Clients that connect at the same moment, write a row each as soon as they are accepted, and stay. One thread for all. */
final class Arrivals implements AutoCloseable {
    private final ServerAddress address;
    private final String database;
    private final Selector selector;
    private final List<Client> clients = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private int answered;

    private static final class Client {
        final SocketChannel channel;
        final int number;
        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        boolean asked;
        boolean done;

        Client(SocketChannel channel, int number) {
            this.channel = channel;
            this.number = number;
        }
    }

    Arrivals(ServerAddress address, String database) throws IOException {
        this.address = address;
        this.database = database;
        selector = Selector.open();
    }

    /** Lets all clients begin to connect before any of them is answered. */
    void connect(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            Client client = new Client(channel, i);
            clients.add(client);
            channel.register(selector, SelectionKey.OP_CONNECT, client);
            channel.connect(address.socketAddress());
        }
    }

    /** Waits until each has been answered or refused. */
    void await(Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (answered + errors.size() < clients.size()) {
            if (System.nanoTime() > deadline) {
                errors.add(answered + " of " + clients.size() + " answered within " + patience);
                return;
            }
            selector.select(1_000);
            for (SelectionKey key : selector.selectedKeys()) {
                Client client = (Client) key.attachment();
                try {
                    if (key.isConnectable() && client.channel.finishConnect()) {
                        key.interestOps(SelectionKey.OP_READ);
                        send(
                                client,
                                FrontendBytes.startup(
                                        FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", database)));
                    } else if (key.isReadable()) {
                        read(client, key);
                    }
                } catch (IOException e) {
                    key.cancel();
                    fail(client, e.toString());
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private static void send(Client client, byte[] message) throws IOException {
        if (client.channel.write(ByteBuffer.wrap(message)) < message.length) {
            throw new IOException("the socket has no room for " + message.length + " bytes");
        }
    }

    private void read(Client client, SelectionKey key) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(8_192);
        int read = client.channel.read(buffer);
        if (read < 0) {
            key.cancel();
            fail(client, "closed");
            return;
        }
        client.received.write(buffer.array(), 0, read);
        ByteBuffer all = ByteBuffer.wrap(client.received.toByteArray());
        while (all.remaining() >= 5) {
            char type = (char) all.get(all.position());
            int total = all.getInt(all.position() + 1) + 1;
            if (all.remaining() < total) {
                break;
            }
            if (type == 'E') {
                fail(client, new String(all.array(), all.position(), total, java.nio.charset.StandardCharsets.UTF_8));
            } else if (type == 'Z' && !client.asked) {
                client.asked = true;
                send(client, FrontendBytes.query("INSERT INTO arrived VALUES (" + client.number + ")"));
            } else if (type == 'Z' && !client.done) {
                client.done = true;
                answered++;
            }
            all.position(all.position() + total);
        }
        byte[] rest = new byte[all.remaining()];
        all.get(rest);
        client.received.reset();
        client.received.writeBytes(rest);
    }

    private void fail(Client client, String why) {
        if (!client.done) {
            client.done = true;
            errors.add("client " + client.number + ": " + why);
        }
    }

    int answered() {
        return answered;
    }

    List<String> errors() {
        return errors;
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.channel.close();
        }
        selector.close();
    }
}
