package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Relay's answers on the socket that only walreceivers should use. */
@Tag("slow")
class FanoutProtocolTest {
    private static TestEngine master;
    private static RelayFixture relay;

    @BeforeAll
    static void start() throws Exception {
        master = TestEngine.create(Installations.newest()).start();
        relay = new RelayFixture(master, RelayOptions.DEFAULT).connected();
    }

    @AfterAll
    static void stop() throws IOException {
        relay.close();
        master.close();
    }

    @Test
    void identifiesItselfAsTheMaster() throws Exception {
        try (Client client = new Client()) {
            client.startup("replication", "true", "application_name", "satellite-1");
            String welcome = client.until('Z');
            assertTrue(welcome.contains("server_version\0" + master.query("SHOW server_version")), welcome);
            client.query("IDENTIFY_SYSTEM");
            String answer = client.until('Z');
            assertTrue(answer.contains(master.query("SELECT system_identifier FROM pg_control_system()")), answer);
            client.query("SHOW wal_segment_size");
            assertTrue(client.until('Z').contains("16MB"));
            client.query("TIMELINE_HISTORY 1");
            assertTrue(client.until('Z').contains("C58P01"));
            client.query("BASE_BACKUP");
            assertTrue(client.until('Z').contains("C0A000"));
        }
    }

    @Test
    void streamsUntilTheWalreceiverIsDone() throws Exception {
        try (Client client = new Client()) {
            client.startup("replication", "true", "application_name", "satellite-2");
            client.until('Z');
            long end = relay.log.received();
            client.query("START_REPLICATION " + Lsn.format(end - end % (16 << 20)) + " TIMELINE 1");
            client.until('W');
            String first = client.until('d');
            // It may be asked for its position before anything else.
            assertEquals('w', first.charAt(0) == 'k' ? client.until('d').charAt(0) : first.charAt(0));
            client.send('c', new byte[0]);
            client.until('Z');
            client.query("IDENTIFY_SYSTEM");
            client.until('Z');
            client.query("START_REPLICATION 0/1000000 TIMELINE 7");
            assertTrue(client.until('Z').contains("C58P01"));
            relay.awaitEvent("logUnavailable satellite-2");
        }
    }

    @Test
    void refusesWhoIsNoWalreceiverOfASatellite() throws Exception {
        refused("0A000", "application_name", "satellite-1");
        refused("0A000", "replication", "database", "application_name", "satellite-1");
        refused("28000", "replication", "true", "application_name", "satellite-9");
        refused("28000", "replication", "true");
    }

    private static void refused(String sqlState, String... parameters) throws Exception {
        try (Client client = new Client()) {
            client.startup(parameters);
            assertTrue(client.until('E').contains("C" + sqlState));
            assertEquals(-1, client.read());
        }
    }

    @Test
    void speaksNeitherTlsNorGss() throws Exception {
        try (Client client = new Client()) {
            client.write(ByteBuffer.allocate(8)
                    .putInt(8)
                    .putInt(Messages.SSL_REQUEST)
                    .array());
            assertEquals('N', client.read());
            client.write(ByteBuffer.allocate(8)
                    .putInt(8)
                    .putInt(Messages.GSS_REQUEST)
                    .array());
            assertEquals('N', client.read());
            client.startup("replication", "true", "application_name", "satellite-1");
            client.until('Z');
        }
    }

    @Test
    void survivesWhateverIsSent() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            try (Client client = new Client()) {
                if (random.nextBoolean()) {
                    client.startup("replication", "true", "application_name", "satellite-1");
                    if (random.nextBoolean()) {
                        client.query("START_REPLICATION 0/1000000 TIMELINE 1");
                    }
                }
                byte[] noise = new byte[random.nextInt(1, 3000)];
                random.nextBytes(noise);
                if (random.nextBoolean()) {
                    noise[0] = (byte) "QdcXpr".charAt(random.nextInt(6));
                    if (noise.length > 5) {
                        ByteBuffer.wrap(noise).putInt(1, random.nextInt(0, noise.length));
                    }
                }
                client.write(noise);
            } catch (IOException e) {
                // The Relay has closed the connection before all of it was sent.
            }
        }
        identifiesItselfAsTheMaster();
        master.execute("CREATE TABLE survived ()");
    }

    private static final class Client implements AutoCloseable {
        private final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);

        Client() throws IOException {
            channel.connect(UnixDomainSocketAddress.of(relay.socket()));
        }

        void startup(String... parameters) throws IOException {
            ByteBuffer message = ByteBuffer.allocate(1000).putInt(0).putInt(Messages.PROTOCOL_3_0);
            for (String parameter : parameters) {
                message.put(parameter.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
            }
            message.put((byte) 0);
            message.putInt(0, message.position()).flip();
            channel.write(message);
        }

        void query(String command) throws IOException {
            write(Messages.query(command));
        }

        void send(char type, byte[] body) throws IOException {
            write(Messages.message(type, body));
        }

        void write(byte[] bytes) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }

        int read() throws IOException {
            ByteBuffer one = ByteBuffer.allocate(1);
            return channel.read(one) < 0 ? -1 : one.get(0);
        }

        /** Returns all bodies up to and including that of the next message of this type. */
        String until(char type) throws IOException {
            StringBuilder bodies = new StringBuilder();
            while (true) {
                ByteBuffer header = fully(5);
                char got = (char) header.get();
                String body = StandardCharsets.ISO_8859_1
                        .decode(fully(header.getInt() - 4))
                        .toString();
                if (got == type) {
                    return bodies.append(body).toString();
                }
                if (got != 'd') {
                    bodies.append(body);
                }
            }
        }

        private ByteBuffer fully(int length) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes) < 0) {
                    throw new IOException("closed");
                }
            }
            return bytes.flip();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
