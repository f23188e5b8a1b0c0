package io.multimed.tests.hostile;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Input before authentication: attacks 1 to 9, 15 to 17, 33 and 45. */
final class StartupAttacks {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LONGEST_STARTUP_PACKET = 10_000;

    private static final String POSTGRES = "postgres";
    /** The first byte of a two-byte character, without the second. */
    private static final byte[] NO_TEXT = {'a', (byte) 0xc3, '('};

    private StartupAttacks() {}

    static Stream<Attack> all() {
        return Stream.of(deadlines(), framing(), contents(), replication(), versions())
                .flatMap(s -> s);
    }

    private static Stream<Attack> deadlines() {
        return Stream.of(
                new Attack(1, "nothing at all", address -> {
                    try (WireClient client = WireClient.connect(address, PATIENCE)) {
                        return Reaction.untilClosed(client);
                    }
                }),
                new Attack(2, "a start-up packet, one byte at a time", address -> {
                    try (WireClient client = WireClient.connect(address, PATIENCE)) {
                        byte[] packet = startup(Map.of("user", "postgres", "options", " ".repeat(500)));
                        for (byte one : packet) {
                            if (client.endsWithin(Duration.ofMillis(200))) {
                                return Reaction.of(Reaction.CLOSED);
                            }
                            client.send(new byte[] {one});
                        }
                        return Reaction.of("took it all");
                    }
                }));
    }

    private static Stream<Attack> framing() {
        Stream<Attack> halfLengths = IntStream.rangeClosed(1, 3)
                .mapToObj(bytes -> new Attack(3, bytes + " bytes of a length, then the end", address -> {
                    try (WireClient client = WireClient.connect(address, PATIENCE)) {
                        client.send(new byte[bytes]);
                        client.endOutput();
                        return Reaction.untilClosed(client);
                    }
                }));
        Stream<Attack> lengths = IntStream.of(
                        0, 1, 4, 7, -1, Integer.MIN_VALUE, LONGEST_STARTUP_PACKET + 5, Integer.MAX_VALUE)
                .mapToObj(length -> closed(4, "start-up length " + length, framed(length)));
        Stream<Attack> otherProtocols = Stream.of(
                closed(5, "HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                closed(5, "SSH", "SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII)),
                closed(5, "TLS without having asked", tlsClientHello()),
                closed(17, "a password first", FrontendBytes.password("secret")),
                closed(26, "a query first", FrontendBytes.query("SELECT 1")),
                closed(45, "a cancel request without a key", FrontendBytes.request(FrontendBytes.CANCEL_REQUEST)));
        Stream<Attack> keys = IntStream.of(0, 3, 4, 5, 32, 256, 257, 9_000)
                .mapToObj(bytes -> closed(
                        45,
                        "a cancel request with a key of " + bytes + " bytes",
                        FrontendBytes.cancel(1, new byte[bytes])));
        return Stream.of(halfLengths, lengths, otherProtocols, keys).flatMap(s -> s);
    }

    private static Stream<Attack> contents() {
        byte[] unterminated = startup(Map.of("user", "postgres"));
        unterminated[unterminated.length - 1] = 'x';
        byte[] shortened = new FrontendBytes.Bytes()
                .int32(FrontendBytes.PROTOCOL_3_0)
                .string("user")
                .string("postgres")
                .toArray();
        return Stream.of(
                ready(6, "another byte instead of the terminator", unterminated),
                closed(
                        6,
                        "no terminator, and nothing in its place",
                        new FrontendBytes.Bytes()
                                .int32(shortened.length + 4)
                                .bytes(shortened)
                                .toArray()),
                closed(
                        6,
                        "a name without a value",
                        framedBody(new FrontendBytes.Bytes()
                                .int32(FrontendBytes.PROTOCOL_3_0)
                                .string("user")
                                .toArray())),
                closed(
                        6,
                        "bytes behind the terminator",
                        framedBody(new FrontendBytes.Bytes()
                                .int32(FrontendBytes.PROTOCOL_3_0)
                                .string("user")
                                .string("postgres")
                                .int8(0)
                                .string("more")
                                .toArray())),
                closed(7, "no user", startup(Map.of("database", "postgres"))),
                closed(7, "an empty user", startup(Map.of("user", "", "database", "postgres"))),
                closed(7, "no parameters at all", startup(Map.of())),
                closed(7, "unknown database", startup(Map.of("user", "postgres", "database", "missing"))),
                closed(7, "unknown role", startup(Map.of("user", "missing", "database", "postgres"))),
                closed(33, "a user that is not UTF-8", startup("user", NO_TEXT, "database", POSTGRES)),
                closed(33, "a database that is not UTF-8", startup("user", POSTGRES, "database", NO_TEXT)),
                ready(33, "an application that is not UTF-8", startup("user", POSTGRES, "application_name", NO_TEXT)),
                closed(33, "a setting that is not UTF-8", startup("user", POSTGRES, "work_mem", NO_TEXT)),
                ready(33, "a path that is not UTF-8", startup("user", POSTGRES, "search_path", NO_TEXT)),
                closed(33, "options that are not UTF-8", startup("user", POSTGRES, "options", NO_TEXT)),
                closed(9, "an encoding that does not exist", startup("user", POSTGRES, "client_encoding", "UTF-9")),
                ready(9, "a setting twice", startup("user", POSTGRES, "work_mem", "1MB", "work_mem", "2MB")),
                closed(9, "unknown setting", startup(Map.of("user", "postgres", "no_such_setting", "1"))),
                closed(9, "bad value of a setting", startup(Map.of("user", "postgres", "work_mem", "much"))),
                closed(9, "a setting of the server", startup(Map.of("user", "postgres", "max_connections", "7"))),
                closed(9, "bad options", startup(Map.of("user", "postgres", "options", "--no-such-option"))),
                closed(11, "a name of 9,000 bytes", startup(Map.of("user", "u".repeat(9_000)))),
                closed(
                        11,
                        "a database of 9,000 bytes",
                        startup(Map.of("user", "postgres", "database", "d".repeat(9_000)))),
                ready(
                        16,
                        "replication=off",
                        startup(Map.of("user", "postgres", "database", "postgres", "replication", "off"))),
                closed(16, "nonsense for replication", startup(Map.of("user", "postgres", "replication", "maybe"))));
    }

    /** Returns a start-up message of pairs of a name and a value, in any bytes. */
    private static byte[] startup(Object... pairs) {
        FrontendBytes.Bytes body = new FrontendBytes.Bytes().int32(FrontendBytes.PROTOCOL_3_0);
        for (Object part : pairs) {
            body = part instanceof byte[] bytes ? body.bytes(bytes).int8(0) : body.string((String) part);
        }
        return framedBody(body.int8(0).toArray());
    }

    private static Stream<Attack> versions() {
        Map<String, String> user = Map.of("user", "postgres");
        Map<String, String> withExtension = new LinkedHashMap<>(user);
        withExtension.put("_pq_.no_such_extension", "1");
        return Stream.of(
                refused(8, "protocol 1.0", FrontendBytes.startup(1 << 16, user)),
                refused(8, "protocol 2.0", FrontendBytes.startup(2 << 16, user)),
                closed(8, "protocol 4.0", FrontendBytes.startup(4 << 16, user)),
                closed(8, "protocol 0.0", FrontendBytes.startup(0, user)),
                ready(8, "protocol 3.1", FrontendBytes.startup(3 << 16 | 1, user)),
                ready(8, "protocol 3.2", FrontendBytes.startup(FrontendBytes.PROTOCOL_3_2, user)),
                ready(8, "protocol 3.9", FrontendBytes.startup(3 << 16 | 9, user)),
                ready(
                        8,
                        "an unknown protocol extension",
                        FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, withExtension)),
                new Attack(45, "the key of protocol 3.2", address -> key(address, FrontendBytes.PROTOCOL_3_2)),
                new Attack(45, "the key of protocol 3.0", address -> key(address, FrontendBytes.PROTOCOL_3_0)),
                new Attack(13, "SSLRequest, GSSENCRequest, SSLRequest, start-up", address -> {
                    try (WireClient client = WireClient.connect(address, PATIENCE)) {
                        client.send(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
                        client.readByte();
                        client.send(FrontendBytes.request(FrontendBytes.GSSENC_REQUEST));
                        client.readByte();
                        client.send(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
                        return Reaction.untilClosed(client);
                    }
                }),
                new Attack(13, "SSLRequest refused, then start-up", address -> {
                    try (WireClient client = WireClient.connect(address, PATIENCE)) {
                        client.send(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
                        if (client.readByte() != 'N') {
                            return Reaction.of("TLS without a certificate");
                        }
                        client.send(startup(Map.of("user", "postgres", "database", "postgres")));
                        return Reaction.untilReady(client);
                    }
                }),
                pipelined("SSLRequest", FrontendBytes.SSL_REQUEST),
                pipelined("GSSENCRequest", FrontendBytes.GSSENC_REQUEST));
    }

    /** Sends the start-up message in the same segment as the request. */
    private static Attack pipelined(String name, int request) {
        return new Attack(13, name + " and start-up without waiting", address -> {
            try (WireClient client = WireClient.connect(address, PATIENCE)) {
                client.send(
                        FrontendBytes.request(request), startup(Map.of("user", "postgres", "database", "postgres")));
                return client.readByte() == 'N' ? Reaction.untilClosed(client) : Reaction.of("encryption");
            }
        });
    }

    private static Reaction key(ServerAddress address, int protocol) throws IOException {
        try (WireClient client = WireClient.connect(address, PATIENCE)) {
            client.send(FrontendBytes.startup(protocol, Map.of("user", POSTGRES)));
            int length = client.readUntil("Z").stream()
                    .filter(message -> message.type() == 'K')
                    .mapToInt(message -> message.body().length - 4)
                    .sum();
            return Reaction.of(length + " bytes");
        }
    }

    private static Stream<Attack> replication() {
        return Stream.of("true", "on", "database", "1", "yes")
                .map(value -> ready(
                        16,
                        "replication=" + value,
                        startup(Map.of("user", "postgres", "database", "postgres", "replication", value))));
    }

    private static Attack closed(int number, String name, byte[] bytes) {
        return new Attack(number, name, address -> {
            try (WireClient client = WireClient.connect(address, PATIENCE)) {
                client.send(bytes);
                return Reaction.untilClosed(client);
            }
        });
    }

    /** Sends a start-up of a protocol before 3. PostgreSQL answers such clients in their own format: an 'E' and a text. */
    private static Attack refused(int number, String name, byte[] bytes) {
        return new Attack(number, name, address -> {
            try (WireClient client = WireClient.connect(address, PATIENCE)) {
                client.send(bytes);
                return Reaction.of(client.readByte() == 'E' ? "an error" : "no error");
            }
        });
    }

    private static Attack ready(int number, String name, byte[] bytes) {
        return new Attack(number, name, address -> {
            try (WireClient client = WireClient.connect(address, PATIENCE)) {
                client.send(bytes);
                return Reaction.untilReady(client);
            }
        });
    }

    private static byte[] startup(Map<String, String> parameters) {
        return FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters);
    }

    /** Returns a header with a length, and fewer bytes than that behind it. */
    private static byte[] framed(int length) {
        return new FrontendBytes.Bytes()
                .int32(length)
                .int32(FrontendBytes.PROTOCOL_3_0)
                .string("user")
                .string("postgres")
                .int8(0)
                .toArray();
    }

    private static byte[] framedBody(byte[] body) {
        return new FrontendBytes.Bytes().int32(body.length + 4).bytes(body).toArray();
    }

    /** Returns the beginning of a TLS 1.2 handshake: record type 22, version 3.1, 200 bytes, ClientHello. */
    static byte[] tlsClientHello() {
        return new FrontendBytes.Bytes()
                .int8(0x16)
                .int16(0x0301)
                .int16(200)
                .int8(1)
                .bytes(new byte[199])
                .toArray();
    }
}
