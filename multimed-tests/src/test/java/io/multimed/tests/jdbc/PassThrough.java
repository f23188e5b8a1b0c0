package io.multimed.tests.jdbc;

import io.multimed.testkit.wire.ServerAddress;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that is a host of its own to a client, with the server behind it, until it goes away. */
final class PassThrough implements Closeable {
    private final ServerAddress server;
    private final ServerSocket listening;
    private final List<Socket> clients = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private final Thread accepting;

    PassThrough(ServerAddress server) throws IOException {
        this.server = server;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        accepting = start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    int connections() {
        return clients.size();
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work, "pass-through");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                clients.add(client);
                sockets.add(client);
                Socket behind = new Socket(server.host(), server.port());
                sockets.add(behind);
                start(() -> pass(client, behind));
                start(() -> pass(behind, client));
            }
        } catch (IOException e) {
            // The proxy has gone away.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The other side has closed its connection.
        }
    }

    /** Closes all connections and accepts no new ones. */
    void goAway() throws IOException {
        listening.close();
        try {
            // Only after this no new connection is accepted.
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        goAway();
    }
}
