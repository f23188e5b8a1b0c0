package io.multimed.tests.access;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to log in.
 *
 * @param from the client's own address; empty for a Unix-domain socket
 * @param tls null for none; it may present a certificate
 */
record Knock(String from, @Nullable SSLContext tls, String user, String database, Map<String, String> more) {
    private static final int PATIENCE_MILLIS = 30_000;

    /** Returns the server's first decisive answer: an error, a demand for a password, or the greeting. */
    String at(ServerAddress server) throws IOException {
        if (from.isEmpty()) {
            try (WireClient client = WireClient.connect(server, Duration.ofMillis(PATIENCE_MILLIS))) {
                client.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters()));
                String answer = null;
                while (answer == null) {
                    answer = decisive(client.read());
                }
                return answer;
            }
        }
        try (Socket socket =
                new Socket(InetAddress.getByName(server.host()), server.port(), InetAddress.getByName(from), 0)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            if (tls == null) {
                return answer(socket);
            }
            socket.getOutputStream().write(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
            int accepted = socket.getInputStream().read();
            if (accepted != 'S') {
                return "no TLS";
            }
            try (SSLSocket encrypted =
                    (SSLSocket) tls.getSocketFactory().createSocket(socket, "localhost", server.port(), true)) {
                return answer(encrypted);
            }
        }
    }

    private String answer(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters()));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            String answer = null;
            while (answer == null) {
                answer = decisive(new Message((char) in.readUnsignedByte(), in.readNBytes(in.readInt() - 4)));
            }
            return answer;
        } catch (SSLException | SocketException | EOFException refused) {
            return "connection refused";
        }
    }

    private Map<String, String> parameters() {
        Map<String, String> parameters = new TreeMap<>(more);
        parameters.put("user", user);
        parameters.put("database", database);
        return parameters;
    }

    private static @Nullable String decisive(Message message) {
        if (message.type() == 'E') {
            return message.sqlState() + " " + message.fields().get('M');
        }
        int asked = message.type() == 'R' ? message.reader().getInt() : 0;
        if (asked != 0) {
            return "password (" + asked + ")";
        }
        return message.type() == 'Z' ? "welcome" : null;
    }
}
