package io.multimed.testkit.mariadb;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A client that sends what it is told and shows what it receives, packet by packet. */
public final class MysqlWire implements AutoCloseable {
    /** Protocol 4.1, passwords and plugins of today, several statements and results. */
    public static final int PLAIN = 0x200 | 0x8000 | 1 << 19 | 1 << 16 | 1 << 17 | 1 << 18;

    public static final int LOCAL_FILES = 1 << 7;
    private static final int TLS = 1 << 11;
    public static final int CONNECT_WITH_DB = 1 << 3;
    public static final int SESSION_TRACK = 1 << 23;
    public static final int DEPRECATE_EOF = 1 << 24;

    private static final int QUERY = 0x03;
    private static final int PING = 0x0e;
    private static final int CHANGE_USER = 0x11;
    private static final int TIMEOUT_MILLIS = 20_000;

    private Socket socket;
    private DataInputStream in;
    private int sequence;
    private @Nullable Received greeting;
    private byte[] first = new byte[0];

    /** A packet. */
    public record Received(int sequence, byte[] payload) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder().append(sequence).append(' ');
            for (byte b : payload) {
                text.append(
                        b >= ' ' && b < 0x7f && b != '\\' ? String.valueOf((char) b) : "\\%02x".formatted(b & 0xff));
            }
            return text.toString();
        }
    }

    private MysqlWire(Socket socket) throws IOException {
        this.socket = socket;
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
    }

    public static MysqlWire connect(int port) throws IOException {
        return new MysqlWire(new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
    }

    /** Logs in with the plugin mysql_native_password. @return the server's last packet */
    public Received login(String user, String password, @Nullable String database) throws IOException {
        Received last = tryLogin(PLAIN, user, password, database);
        if (last.payload()[0] != 0) {
            throw new IOException("login refused: " + last);
        }
        return last;
    }

    /** @return the server's last packet, OK or error */
    public Received tryLogin(int capabilities, String user, String password, @Nullable String database)
            throws IOException {
        Received begun = greeting;
        int number = 2;
        if (begun == null) {
            begun = receive();
            number = 1;
        }
        if (begun.payload()[0] == (byte) 0xff) {
            return begun;
        }
        int flags = database == null ? capabilities : capabilities | CONNECT_WITH_DB;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head(greeting == null ? flags : flags | TLS));
        out.writeBytes((user + "\0").getBytes(StandardCharsets.UTF_8));
        byte[] reply = reply(password, scramble(begun.payload()));
        out.write(reply.length);
        out.writeBytes(reply);
        if (database != null) {
            out.writeBytes((database + "\0").getBytes(StandardCharsets.UTF_8));
        }
        out.writeBytes("mysql_native_password\0".getBytes(StandardCharsets.UTF_8));
        send(number, out.toByteArray());
        return authenticate(password);
    }

    /** Answers the server's question for the password, if it asks. @return the server's last packet */
    private Received authenticate(String password) throws IOException {
        Received answer = receive();
        if (answer.payload()[0] == (byte) 0xfe) {
            byte[] request = answer.payload();
            int end = 1;
            while (request[end] != 0) {
                end++;
            }
            send(answer.sequence() + 1, reply(password, java.util.Arrays.copyOfRange(request, end + 1, end + 21)));
            answer = receive();
        }
        return answer;
    }

    /** Changes the user; the server has to ask for the password. @return the server's last packet, OK or error */
    public Received changeUser(String user, String password) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes((user + "\0").getBytes(StandardCharsets.UTF_8));
        out.write(20);
        out.writeBytes(new byte[20]);
        out.writeBytes(new byte[] {0, 45, 0});
        out.writeBytes("another_plugin\0".getBytes(StandardCharsets.UTF_8));
        command(CHANGE_USER, out.toByteArray());
        return authenticate(password);
    }

    /** Returns the payload of a request for TLS, with which the client's response begins too. */
    private static byte[] head(int flags) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int number : new int[] {flags, 1 << 24}) {
            for (int shift = 0; shift < 32; shift += 8) {
                out.write(number >> shift);
            }
        }
        out.write(45);
        out.writeBytes(new byte[23]);
        return out.toByteArray();
    }

    /**
     * Requests TLS, in plain text, after the server's greeting.
     *
     * @param behind bytes that are sent with the request
     */
    public void requestTls(byte... behind) throws IOException {
        greeting = receive();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(packet(1, head(PLAIN | TLS)));
        out.writeBytes(behind);
        sendBytes(out.toByteArray());
    }

    /** Returns the packet of a response without a password. */
    public static byte[] response(int number, String user) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head(PLAIN));
        out.writeBytes((user + "\0\0mysql_native_password\0").getBytes(StandardCharsets.UTF_8));
        return packet(number, out.toByteArray());
    }

    /** Requests TLS and begins it; a login may follow. */
    public void beginTls(SSLContext context) throws IOException {
        requestTls();
        SSLSocket tls =
                (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        tls.startHandshake();
        socket = tls;
        in = new DataInputStream(new java.io.BufferedInputStream(tls.getInputStream()));
    }

    private static byte[] scramble(byte[] greeting) {
        int at = 1;
        while (greeting[at] != 0) {
            at++;
        }
        byte[] scramble = new byte[20];
        System.arraycopy(greeting, at + 5, scramble, 0, 8);
        System.arraycopy(greeting, at + 5 + 8 + 1 + 2 + 1 + 2 + 2 + 1 + 10, scramble, 8, 12);
        return scramble;
    }

    private static byte[] reply(String password, byte[] scramble) {
        if (password.isEmpty()) {
            return new byte[0];
        }
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-1");
            byte[] hash = sha.digest(password.getBytes(StandardCharsets.UTF_8));
            byte[] twice = sha.digest(hash);
            sha.update(scramble);
            byte[] mask = sha.digest(twice);
            for (int i = 0; i < hash.length; i++) {
                hash[i] ^= mask[i];
            }
            return hash;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends one packet. */
    public void send(int number, byte[] payload) throws IOException {
        sendBytes(packet(number, payload));
    }

    private static byte[] packet(int number, byte[] payload) {
        byte[] packet = new byte[4 + payload.length];
        packet[0] = (byte) payload.length;
        packet[1] = (byte) (payload.length >> 8);
        packet[2] = (byte) (payload.length >> 16);
        packet[3] = (byte) number;
        System.arraycopy(payload, 0, packet, 4, payload.length);
        return packet;
    }

    public void sendBytes(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Sends a command with a text. */
    public void command(int command, byte[] operand) throws IOException {
        byte[] payload = new byte[1 + operand.length];
        payload[0] = (byte) command;
        System.arraycopy(operand, 0, payload, 1, operand.length);
        send(0, payload);
    }

    /** Receives one packet. */
    public Received receive() throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        sequence = in.readUnsignedByte();
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Received(sequence, payload);
    }

    /** Receives until the server closes the connection. */
    public List<String> receiveAll() throws IOException {
        List<String> all = new ArrayList<>();
        try {
            while (true) {
                all.add(receive().toString());
            }
        } catch (EOFException | SocketException closed) {
            all.add("closed");
            return all;
        }
    }

    /**
     * Executes a statement with one reply, without the ping of {@link #query}, behind which no rows count as changed.
     *
     * @return the packets as text
     */
    public List<String> queryAlone(String sql) throws IOException {
        command(QUERY, sql.getBytes(StandardCharsets.UTF_8));
        List<String> all = new ArrayList<>();
        int ends = 0;
        while (ends < 2) {
            Received packet = receive();
            int kind = packet.payload()[0] & 0xff;
            boolean isWhole = kind == 0xff || (kind == 0 && all.isEmpty());
            ends += isWhole ? 2 : kind == 0xfe && packet.payload().length < 9 ? 1 : 0;
            all.add(packet.toString());
        }
        return all;
    }

    /**
     * Sends a command, and a ping right behind it, whose answer shows where that of the command ends.
     *
     * @param replies whether the server replies to the command at all
     * @return the packets of the reply as text, with {@code closed} if the server has closed the connection
     */
    public List<String> exchange(int command, byte[] operand, boolean replies) throws IOException {
        List<String> all = new ArrayList<>();
        try {
            command(command, operand);
            command(PING, new byte[0]);
            if (replies) {
                Received begin = receive();
                first = begin.payload();
                all.add(begin.toString());
                while (true) {
                    int next = sequence + 1 & 0xff;
                    Received packet = receive();
                    if (packet.sequence() != next) {
                        break;
                    }
                    all.add(packet.toString());
                }
            } else {
                receive();
            }
        } catch (EOFException | SocketException closed) {
            all.add("closed");
        }
        return all;
    }

    /** Returns the first packet of the last reply. */
    public byte[] firstOfReply() {
        return first.clone();
    }

    /** Executes a statement. @return the packets of its reply as text */
    public List<String> query(String sql) throws IOException {
        return exchange(3, sql.getBytes(StandardCharsets.UTF_8), true);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
