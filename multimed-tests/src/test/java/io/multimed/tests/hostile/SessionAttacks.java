package io.multimed.tests.hostile;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Input of an authenticated client: attacks 27 to 41. */
final class SessionAttacks {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int GIB = 1 << 30;
    private static final int SYNCS = 100_000;
    private static final int SKIPPED = 1_000_000;

    private SessionAttacks() {}

    static Stream<Attack> all() {
        return Stream.of(framing(), sizes(), contents(), extended(), longMessages(), floods())
                .flatMap(s -> s);
    }

    /** Returns messages that end too late or too early, and names that are no text. */
    private static Stream<Attack> sizes() {
        byte[] sync = FrontendBytes.sync();
        byte[] odd = {'x', (byte) 0xff, (byte) 0xfe, 0};
        byte[] parseOdd = new FrontendBytes.Bytes()
                .bytes(odd)
                .bytes("SELECT 1".getBytes(StandardCharsets.UTF_8))
                .bytes(new byte[3])
                .toArray();
        byte[] bindOdd = new FrontendBytes.Bytes()
                .bytes(new byte[1])
                .bytes(odd)
                .bytes(new byte[6])
                .toArray();
        byte[] portalOdd =
                new FrontendBytes.Bytes().bytes(odd).bytes(new byte[7]).toArray();
        byte[] statementOdd =
                new FrontendBytes.Bytes().bytes(new byte[] {'S'}).bytes(odd).toArray();
        byte[] ofPortalOdd =
                new FrontendBytes.Bytes().bytes(new byte[] {'P'}).bytes(odd).toArray();
        byte[] executeOdd =
                new FrontendBytes.Bytes().bytes(odd).bytes(new byte[4]).toArray();
        return Stream.of(
                attack(32, "a Sync with a long body, then Sync", FrontendBytes.message('S', new byte[500]), sync),
                attack(
                        32,
                        "a Sync with a body behind a query",
                        FrontendBytes.parse("", "SELECT 1"),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.message('S', new byte[1])),
                attack(
                        32,
                        "a Flush with a body before a query",
                        FrontendBytes.message('H', new byte[3]),
                        FrontendBytes.parse("", "SELECT 1"),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        sync),
                attack(
                        32,
                        "a Flush with a body between Parse and Bind",
                        FrontendBytes.parse("", "SELECT 1"),
                        FrontendBytes.message('H', new byte[3]),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        sync),
                attack(32, "a Close without a body", FrontendBytes.message('C', new byte[0]), sync),
                attack(32, "a Close without a name", FrontendBytes.message('C', new byte[] {'S'}), sync),
                attack(
                        32,
                        "a Close with more behind its name",
                        FrontendBytes.message('C', new byte[] {'S', 'x', 0, 0}),
                        sync),
                attack(32, "a Describe without a body", FrontendBytes.message('D', new byte[0]), sync),
                attack(32, "a Describe of neither statement nor portal", FrontendBytes.describe('X', "x"), sync),
                attack(
                        32,
                        "a Describe with more behind its name",
                        FrontendBytes.message('D', new byte[] {'S', 'x', 0, 'y'}),
                        sync),
                attack(32, "an Execute without a body", FrontendBytes.message('E', new byte[0]), sync),
                attack(32, "an Execute without a number", FrontendBytes.message('E', new byte[1]), sync),
                attack(32, "an Execute with more behind its number", FrontendBytes.message('E', new byte[9]), sync),
                attack(32, "a Parse without a body", FrontendBytes.message('P', new byte[0]), sync),
                attack(32, "a Bind without a body", FrontendBytes.message('B', new byte[0]), sync),
                new Attack(32, "a Terminate with a body", address -> {
                    try (WireSession session = open(address)) {
                        session.send(FrontendBytes.message('X', new byte[10]));
                        return Reaction.untilClosed(session.client());
                    }
                }),
                attack(33, "a Parse of a name that is no text", FrontendBytes.message('P', parseOdd), sync),
                attack(33, "a Bind to a name that is no text", FrontendBytes.message('B', bindOdd), sync),
                attack(
                        33,
                        "a Bind of a portal whose name is no text",
                        FrontendBytes.parse("", "SELECT 1"),
                        FrontendBytes.message('B', portalOdd),
                        sync),
                attack(33, "a Describe of a name that is no text", FrontendBytes.message('D', statementOdd), sync),
                attack(33, "a Close of a name that is no text", FrontendBytes.message('C', statementOdd), sync),
                attack(33, "a Describe of a portal's that is no text", FrontendBytes.message('D', ofPortalOdd), sync),
                attack(33, "a Close of a portal's that is no text", FrontendBytes.message('C', ofPortalOdd), sync),
                attack(33, "an Execute of a name that is no text", FrontendBytes.message('E', executeOdd), sync),
                new Attack(41, "more messages after an error was told", address -> {
                    try (WireSession session = open(address)) {
                        session.send(FrontendBytes.parse("", "SELEKT"), FrontendBytes.flush());
                        session.client().readUntil("E");
                        session.send(
                                FrontendBytes.parse("", "SELECT 1"),
                                FrontendBytes.bind("", ""),
                                FrontendBytes.execute("", 0),
                                FrontendBytes.query("SELECT 'not executed'"),
                                sync);
                        return Reaction.untilReady(session.client());
                    }
                }));
    }

    /** Returns messages too long to be looked at as a whole: their end must not be taken for another message. */
    private static Stream<Attack> longMessages() {
        byte[] sync = FrontendBytes.sync();
        // If the engine read the value as messages, it would find these.
        byte[] injected = new FrontendBytes.Bytes()
                .bytes(new byte[300_000])
                .bytes(FrontendBytes.query("SET search_path = injected"))
                .bytes(FrontendBytes.sync())
                .toArray();
        String longSql = "SELECT 1 -- " + "x".repeat(400_000);
        return Stream.of(
                attack(29, "a long Bind to no statement", bind("", injected), sync),
                attack(29, "a long Bind to an unknown statement", bind("unknown", injected), sync),
                attack(29, "a long Bind to a statement of a name like Multimed's", bind("multimed_1", injected), sync),
                attack(29, "a long Bind after an error", FrontendBytes.parse("", "SELEKT"), bind("", injected), sync),
                attack(
                        29,
                        "a long Parse under a name that is taken",
                        FrontendBytes.parse("twice", "SELECT 1"),
                        FrontendBytes.parse("twice", longSql),
                        sync),
                attack(
                        29,
                        "a long unnamed Parse, then Bind",
                        FrontendBytes.parse("", longSql),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        sync),
                new Attack(29, "a long named Parse, then Bind, again and again", address -> {
                    for (int i = 0; i < 3; i++) {
                        try (WireSession session = open(address)) {
                            session.send(FrontendBytes.parse("long", longSql), sync);
                            session.ready();
                            session.send(FrontendBytes.bind("", "long"), FrontendBytes.execute("", 0), sync);
                            Reaction answer = Reaction.untilReady(session.client());
                            if (i == 2) {
                                return answer;
                            }
                        }
                    }
                    throw new IllegalStateException();
                }),
                new Attack(29, "an unnamed Parse of 10 MB, then Bind", address -> {
                    try (WireSession session = open(address)) {
                        session.send(
                                FrontendBytes.parse("", "SELECT 1 -- " + "x".repeat(10 << 20)),
                                FrontendBytes.bind("", ""),
                                FrontendBytes.execute("", 0),
                                sync);
                        return Reaction.untilReady(session.client());
                    }
                }),
                attack(
                        29,
                        "a Parse of 10 MB under a name",
                        FrontendBytes.parse("ten", "SELECT 1 -- " + "x".repeat(10 << 20)),
                        sync));
    }

    private static byte[] bind(String statement, byte[] value) {
        return FrontendBytes.bind("", statement, List.of(), new byte[][] {value}, List.of());
    }

    private static Stream<Attack> framing() {
        return Stream.of(
                attack(27, "unknown type 'z'", FrontendBytes.message('z', new byte[0])),
                attack(27, "unknown type 0", FrontendBytes.message('\0', new byte[0])),
                attack(27, "a type of the server, 'T'", FrontendBytes.message('T', new byte[2])),
                new Attack(27, "unknown type in a transaction", address -> {
                    try (WireSession session = open(address)) {
                        session.send(FrontendBytes.query("BEGIN"), FrontendBytes.message('z', new byte[0]));
                        return Reaction.untilClosed(session.client());
                    }
                }),
                attack(28, "length 3", FrontendBytes.header('Q', 3)),
                attack(28, "length 0", FrontendBytes.header('S', 0)),
                attack(28, "length -1", FrontendBytes.header('Q', -1)),
                attack(28, "the smallest length", FrontendBytes.header('Q', Integer.MIN_VALUE)),
                attack(28, "a Sync of 1 GiB", FrontendBytes.header('S', GIB)),
                attack(28, "a Flush of 10,001 bytes", FrontendBytes.header('H', 10_005)),
                attack(28, "an Execute of 10,001 bytes", FrontendBytes.header('E', 10_005)),
                attack(28, "a Describe of 1 GiB", FrontendBytes.header('D', GIB)),
                attack(28, "a Close of 1 GiB", FrontendBytes.header('C', GIB)),
                attack(30, "a Query of 2 GiB", FrontendBytes.header('Q', Integer.MAX_VALUE)),
                attack(30, "a Parse of 1 GiB", FrontendBytes.header('P', GIB)),
                attack(30, "a Bind of 1 GiB", FrontendBytes.header('B', GIB)),
                new Attack(29, "the end in the middle of a message", address -> {
                    try (WireSession session = open(address)) {
                        session.send(FrontendBytes.header('Q', 100), new byte[50]);
                        session.client().endOutput();
                        return Reaction.untilClosed(session.client());
                    }
                }));
    }

    private static Stream<Attack> contents() {
        byte[] unterminated = "SELECT 1".getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                attack(32, "a Query without NUL", FrontendBytes.message('Q', unterminated)),
                attack(32, "an empty Query without NUL", FrontendBytes.message('Q', new byte[0])),
                attack(
                        32,
                        "a Query with bytes behind its NUL",
                        FrontendBytes.message(
                                'Q',
                                new FrontendBytes.Bytes()
                                        .string("SELECT 1")
                                        .string("SELECT 2")
                                        .toArray())),
                attack(32, "a Sync with a body", FrontendBytes.message('S', new byte[3])),
                attack(32, "a Flush with a body", FrontendBytes.message('H', new byte[3]), FrontendBytes.sync()),
                attack(32, "a Terminate with a body", FrontendBytes.message('X', new byte[3])),
                attack(33, "a Query that is not UTF-8", query(new byte[] {
                    'S', 'E', 'L', 'E', 'C', 'T', ' ', '\'', -1, '\''
                })),
                attack(33, "a Query that ends within a character", query(new byte[] {
                    'S', 'E', 'L', 'E', 'C', 'T', ' ', (byte) 0xe2, (byte) 0x82
                })),
                attack(33, "an overlong NUL", query(new byte[] {
                    'S', 'E', 'L', 'E', 'C', 'T', ' ', '\'', (byte) 0xc0, (byte) 0x80, '\''
                })),
                attack(
                        47,
                        "100,000 parentheses",
                        FrontendBytes.query("SELECT " + "(".repeat(100_000) + "1" + ")".repeat(100_000))),
                attack(47, "100,000 operators", FrontendBytes.query("SELECT 1" + "+1".repeat(100_000))),
                attack(
                        47,
                        "10,000 arrays in each other",
                        FrontendBytes.query("SELECT " + "ARRAY[".repeat(10_000) + "1" + "]".repeat(10_000))));
    }

    private static Stream<Attack> extended() {
        byte[] sync = FrontendBytes.sync();
        return Stream.of(
                attack(
                        31,
                        "a Parse without NUL, then a good one",
                        FrontendBytes.message('P', "abc".getBytes(StandardCharsets.UTF_8)),
                        FrontendBytes.parse("", "SELECT 1"),
                        sync),
                attack(
                        31,
                        "a Bind that ends too early",
                        FrontendBytes.parse("s", "SELECT 1"),
                        FrontendBytes.message('B', new byte[] {0}),
                        FrontendBytes.execute("", 0),
                        sync),
                attack(
                        32,
                        "a Parse with bytes behind it",
                        FrontendBytes.message(
                                'P',
                                new FrontendBytes.Bytes()
                                        .string("")
                                        .string("SELECT 1")
                                        .int16(0)
                                        .int32(7)
                                        .toArray()),
                        sync),
                attack(32, "an Execute without a row count", FrontendBytes.message('E', new byte[] {0}), sync),
                attack(
                        32,
                        "a Describe of neither statement nor portal",
                        FrontendBytes.message('D', new byte[] {'X', 0}),
                        sync),
                attack(
                        32,
                        "a Close of neither statement nor portal",
                        FrontendBytes.message('C', new byte[] {'X', 0}),
                        sync),
                attack(32, "an empty Describe", FrontendBytes.message('D', new byte[0]), sync),
                attack(
                        33,
                        "a parameter that is not UTF-8",
                        FrontendBytes.parse("", "SELECT $1::text"),
                        bind(new byte[] {-1}),
                        sync),
                attack(
                        33,
                        "a parameter with a NUL",
                        FrontendBytes.parse("", "SELECT $1::text"),
                        bind(new byte[] {'a', 0, 'b'}),
                        sync),
                attack(
                        33,
                        "a statement name that is not UTF-8",
                        FrontendBytes.message(
                                'P',
                                new FrontendBytes.Bytes()
                                        .int8(0xff)
                                        .int8(0)
                                        .string("SELECT 1")
                                        .int16(0)
                                        .toArray()),
                        sync),
                attack(34, "a Bind to no statement", FrontendBytes.bind("", "missing"), sync),
                attack(34, "an Execute of no portal", FrontendBytes.execute("missing", 0), sync),
                attack(
                        35,
                        "a name twice",
                        FrontendBytes.parse("s", "SELECT 1"),
                        FrontendBytes.parse("s", "SELECT 1"),
                        sync),
                attack(35, "two commands in one Parse", FrontendBytes.parse("", "SELECT 1; SELECT 2"), sync),
                attack(
                        36,
                        "a Bind with a value too few",
                        FrontendBytes.parse("", "SELECT $1::int"),
                        FrontendBytes.bind("", ""),
                        sync),
                attack(36, "a Bind with 65,535 formats", FrontendBytes.parse("", "SELECT 1"), formats(65_535), sync),
                attack(
                        36,
                        "a Parse that promises 65,535 types",
                        FrontendBytes.message(
                                'P',
                                new FrontendBytes.Bytes()
                                        .string("")
                                        .string("SELECT 1")
                                        .int16(0xffff)
                                        .toArray()),
                        sync),
                attack(
                        37,
                        "a parameter of length -2",
                        FrontendBytes.parse("", "SELECT $1::text"),
                        FrontendBytes.message(
                                'B',
                                new FrontendBytes.Bytes()
                                        .int8(0)
                                        .int8(0)
                                        .int16(0)
                                        .int16(1)
                                        .int32(-2)
                                        .int16(0)
                                        .toArray()),
                        sync),
                attack(
                        37,
                        "a parameter longer than its message",
                        FrontendBytes.parse("", "SELECT $1::text"),
                        FrontendBytes.message(
                                'B',
                                new FrontendBytes.Bytes()
                                        .int8(0)
                                        .int8(0)
                                        .int16(0)
                                        .int16(1)
                                        .int32(Integer.MAX_VALUE)
                                        .int16(0)
                                        .toArray()),
                        sync),
                attack(
                        37,
                        "format code 7",
                        FrontendBytes.parse("", "SELECT $1::text"),
                        FrontendBytes.bind("", "", List.of(7), new byte[][] {{'a'}}, List.of()),
                        sync),
                attack(
                        37,
                        "result format 7",
                        FrontendBytes.parse("", "SELECT 1"),
                        FrontendBytes.bind("", "", List.of(), new byte[0][], List.of(7)),
                        FrontendBytes.execute("", 0),
                        sync),
                attack(38, "parameter $2000000000", FrontendBytes.parse("", "SELECT $2000000000"), sync),
                attack(
                        38,
                        "parameter $99999999999999999999",
                        FrontendBytes.parse("", "SELECT $99999999999999999999"),
                        sync),
                attack(
                        39,
                        "a statement name of 100,000 bytes",
                        FrontendBytes.parse("n".repeat(100_000), "SELECT 1"),
                        FrontendBytes.bind("", "n".repeat(100_000)),
                        FrontendBytes.execute("", 0),
                        sync),
                attack(
                        44,
                        "CopyData, CopyDone and CopyFail that nobody asked for",
                        FrontendBytes.copyData(new byte[100]),
                        FrontendBytes.copyDone(),
                        FrontendBytes.copyFail("no"),
                        sync),
                attack(44, "a password after authentication", FrontendBytes.password("again"), sync),
                attack(44, "a function call that ends too early", FrontendBytes.message('F', new byte[] {0, 0})));
    }

    private static Stream<Attack> floods() {
        return Stream.of(
                new Attack(40, "100,000 pipelined Syncs", address -> {
                    try (WireSession session = open(address)) {
                        byte[] sync = FrontendBytes.sync();
                        byte[] all = new byte[sync.length * SYNCS];
                        for (int i = 0; i < SYNCS; i++) {
                            System.arraycopy(sync, 0, all, i * sync.length, sync.length);
                        }
                        session.send(all);
                        for (int i = 1; i < SYNCS; i++) {
                            Message message = session.client().read();
                            if (message.type() != 'Z') {
                                return Reaction.of("after " + i + " Syncs: " + message);
                            }
                        }
                        return Reaction.untilReady(session.client());
                    }
                }),
                new Attack(40, "10,000 pipelined queries", address -> {
                    try (WireSession session = open(address)) {
                        byte[][] all = new byte[10_000][];
                        Arrays.setAll(all, i -> FrontendBytes.query("SELECT " + i));
                        session.send(all);
                        for (int i = 0; i < all.length - 1; i++) {
                            List<Message> messages = session.ready();
                            if (!messages.get(1).texts().equals(List.of(String.valueOf(i)))) {
                                return Reaction.of("to query " + i + ": " + messages);
                            }
                        }
                        return Reaction.untilReady(session.client());
                    }
                }),
                new Attack(41, "an error, then a million messages before Sync", address -> {
                    try (WireSession session = open(address)) {
                        byte[] execute = FrontendBytes.execute("", 0);
                        byte[] many = new byte[execute.length * 1000];
                        for (int i = 0; i < 1000; i++) {
                            System.arraycopy(execute, 0, many, i * execute.length, execute.length);
                        }
                        session.send(FrontendBytes.parse("", "SELEKT"));
                        for (int i = 0; i < SKIPPED / 1000; i++) {
                            session.send(many);
                        }
                        session.send(FrontendBytes.sync());
                        return Reaction.untilReady(session.client());
                    }
                }),
                new Attack(41, "an error, then a Query before Sync", address -> {
                    try (WireSession session = open(address)) {
                        session.send(
                                FrontendBytes.parse("", "SELEKT"),
                                FrontendBytes.query("SELECT 1"),
                                FrontendBytes.sync());
                        return Reaction.untilReady(session.client());
                    }
                }),
                new Attack(41, "an error, then an unknown type before Sync", address -> {
                    try (WireSession session = open(address)) {
                        session.send(
                                FrontendBytes.parse("", "SELEKT"),
                                FrontendBytes.message('z', new byte[0]),
                                FrontendBytes.sync());
                        return Reaction.untilReady(session.client());
                    }
                }));
    }

    private static Attack attack(int number, String name, byte[]... parts) {
        return new Attack(number, name, address -> {
            try (WireSession session = open(address)) {
                session.send(parts);
                return Reaction.untilReady(session.client());
            }
        });
    }

    private static WireSession open(ServerAddress address) throws IOException {
        return WireSession.open(address, "postgres", "postgres", PATIENCE);
    }

    private static byte[] query(byte[] sql) {
        return FrontendBytes.message(
                'Q', new FrontendBytes.Bytes().bytes(sql).int8(0).toArray());
    }

    private static byte[] bind(byte[] value) {
        return FrontendBytes.bind("", "", List.of(), new byte[][] {value}, List.of());
    }

    private static byte[] formats(int count) {
        FrontendBytes.Bytes body = new FrontendBytes.Bytes().int8(0).int8(0).int16(count);
        for (int i = 0; i < count; i++) {
            body.int16(0);
        }
        return FrontendBytes.message('B', body.int16(0).int16(0).toArray());
    }
}
