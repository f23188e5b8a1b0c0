package io.multimed.tests.hostile;

import io.multimed.testkit.wire.Frontend;
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
        byte[] sync = Frontend.sync();
        byte[] odd = {'x', (byte) 0xff, (byte) 0xfe, 0};
        byte[] parseOdd = new Frontend.Bytes()
                .bytes(odd)
                .bytes("SELECT 1".getBytes(StandardCharsets.UTF_8))
                .bytes(new byte[3])
                .toArray();
        byte[] bindOdd = new Frontend.Bytes()
                .bytes(new byte[1])
                .bytes(odd)
                .bytes(new byte[6])
                .toArray();
        byte[] portalOdd = new Frontend.Bytes().bytes(odd).bytes(new byte[7]).toArray();
        byte[] statementOdd =
                new Frontend.Bytes().bytes(new byte[] {'S'}).bytes(odd).toArray();
        byte[] ofPortalOdd =
                new Frontend.Bytes().bytes(new byte[] {'P'}).bytes(odd).toArray();
        byte[] executeOdd = new Frontend.Bytes().bytes(odd).bytes(new byte[4]).toArray();
        return Stream.of(
                attack(32, "a Sync with a long body, then Sync", Frontend.message('S', new byte[500]), sync),
                attack(
                        32,
                        "a Sync with a body behind a query",
                        Frontend.parse("", "SELECT 1"),
                        Frontend.bind("", ""),
                        Frontend.execute("", 0),
                        Frontend.message('S', new byte[1])),
                attack(
                        32,
                        "a Flush with a body before a query",
                        Frontend.message('H', new byte[3]),
                        Frontend.parse("", "SELECT 1"),
                        Frontend.bind("", ""),
                        Frontend.execute("", 0),
                        sync),
                attack(
                        32,
                        "a Flush with a body between Parse and Bind",
                        Frontend.parse("", "SELECT 1"),
                        Frontend.message('H', new byte[3]),
                        Frontend.bind("", ""),
                        Frontend.execute("", 0),
                        sync),
                attack(32, "a Close without a body", Frontend.message('C', new byte[0]), sync),
                attack(32, "a Close without a name", Frontend.message('C', new byte[] {'S'}), sync),
                attack(
                        32,
                        "a Close with more behind its name",
                        Frontend.message('C', new byte[] {'S', 'x', 0, 0}),
                        sync),
                attack(32, "a Describe without a body", Frontend.message('D', new byte[0]), sync),
                attack(32, "a Describe of neither statement nor portal", Frontend.describe('X', "x"), sync),
                attack(
                        32,
                        "a Describe with more behind its name",
                        Frontend.message('D', new byte[] {'S', 'x', 0, 'y'}),
                        sync),
                attack(32, "an Execute without a body", Frontend.message('E', new byte[0]), sync),
                attack(32, "an Execute without a number", Frontend.message('E', new byte[1]), sync),
                attack(32, "an Execute with more behind its number", Frontend.message('E', new byte[9]), sync),
                attack(32, "a Parse without a body", Frontend.message('P', new byte[0]), sync),
                attack(32, "a Bind without a body", Frontend.message('B', new byte[0]), sync),
                new Attack(32, "a Terminate with a body", address -> {
                    try (WireSession session = open(address)) {
                        session.send(Frontend.message('X', new byte[10]));
                        return Answer.untilClosed(session.client());
                    }
                }),
                attack(33, "a Parse of a name that is no text", Frontend.message('P', parseOdd), sync),
                attack(33, "a Bind to a name that is no text", Frontend.message('B', bindOdd), sync),
                attack(
                        33,
                        "a Bind of a portal whose name is no text",
                        Frontend.parse("", "SELECT 1"),
                        Frontend.message('B', portalOdd),
                        sync),
                attack(33, "a Describe of a name that is no text", Frontend.message('D', statementOdd), sync),
                attack(33, "a Close of a name that is no text", Frontend.message('C', statementOdd), sync),
                attack(33, "a Describe of a portal's that is no text", Frontend.message('D', ofPortalOdd), sync),
                attack(33, "a Close of a portal's that is no text", Frontend.message('C', ofPortalOdd), sync),
                attack(33, "an Execute of a name that is no text", Frontend.message('E', executeOdd), sync),
                new Attack(41, "more messages after an error was told", address -> {
                    try (WireSession session = open(address)) {
                        session.send(Frontend.parse("", "SELEKT"), Frontend.flush());
                        session.client().readUntil("E");
                        session.send(
                                Frontend.parse("", "SELECT 1"),
                                Frontend.bind("", ""),
                                Frontend.execute("", 0),
                                Frontend.query("SELECT 'not executed'"),
                                sync);
                        return Answer.untilReady(session.client());
                    }
                }));
    }

    /** Returns messages too long to be looked at as a whole: their end must not be taken for another message. */
    private static Stream<Attack> longMessages() {
        byte[] sync = Frontend.sync();
        // If the engine read the value as messages, it would find these.
        byte[] injected = new Frontend.Bytes()
                .bytes(new byte[300_000])
                .bytes(Frontend.query("SET search_path = injected"))
                .bytes(Frontend.sync())
                .toArray();
        String longSql = "SELECT 1 -- " + "x".repeat(400_000);
        return Stream.of(
                attack(29, "a long Bind to no statement", bind("", injected), sync),
                attack(29, "a long Bind to an unknown statement", bind("unknown", injected), sync),
                attack(29, "a long Bind to a statement of a name like Multimed's", bind("multimed_1", injected), sync),
                attack(29, "a long Bind after an error", Frontend.parse("", "SELEKT"), bind("", injected), sync),
                attack(
                        29,
                        "a long Parse under a name that is taken",
                        Frontend.parse("twice", "SELECT 1"),
                        Frontend.parse("twice", longSql),
                        sync),
                attack(
                        29,
                        "a long unnamed Parse, then Bind",
                        Frontend.parse("", longSql),
                        Frontend.bind("", ""),
                        Frontend.execute("", 0),
                        sync),
                new Attack(29, "a long named Parse, then Bind, again and again", address -> {
                    for (int i = 0; i < 3; i++) {
                        try (WireSession session = open(address)) {
                            session.send(Frontend.parse("long", longSql), sync);
                            session.ready();
                            session.send(Frontend.bind("", "long"), Frontend.execute("", 0), sync);
                            Answer answer = Answer.untilReady(session.client());
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
                                Frontend.parse("", "SELECT 1 -- " + "x".repeat(10 << 20)),
                                Frontend.bind("", ""),
                                Frontend.execute("", 0),
                                sync);
                        return Answer.untilReady(session.client());
                    }
                }),
                attack(
                        29,
                        "a Parse of 10 MB under a name",
                        Frontend.parse("ten", "SELECT 1 -- " + "x".repeat(10 << 20)),
                        sync));
    }

    private static byte[] bind(String statement, byte[] value) {
        return Frontend.bind("", statement, List.of(), new byte[][] {value}, List.of());
    }

    private static Stream<Attack> framing() {
        return Stream.of(
                attack(27, "unknown type 'z'", Frontend.message('z', new byte[0])),
                attack(27, "unknown type 0", Frontend.message('\0', new byte[0])),
                attack(27, "a type of the server, 'T'", Frontend.message('T', new byte[2])),
                new Attack(27, "unknown type in a transaction", address -> {
                    try (WireSession session = open(address)) {
                        session.send(Frontend.query("BEGIN"), Frontend.message('z', new byte[0]));
                        return Answer.untilClosed(session.client());
                    }
                }),
                attack(28, "length 3", Frontend.header('Q', 3)),
                attack(28, "length 0", Frontend.header('S', 0)),
                attack(28, "length -1", Frontend.header('Q', -1)),
                attack(28, "the smallest length", Frontend.header('Q', Integer.MIN_VALUE)),
                attack(28, "a Sync of 1 GiB", Frontend.header('S', GIB)),
                attack(28, "a Flush of 10,001 bytes", Frontend.header('H', 10_005)),
                attack(28, "an Execute of 10,001 bytes", Frontend.header('E', 10_005)),
                attack(28, "a Describe of 1 GiB", Frontend.header('D', GIB)),
                attack(28, "a Close of 1 GiB", Frontend.header('C', GIB)),
                attack(30, "a Query of 2 GiB", Frontend.header('Q', Integer.MAX_VALUE)),
                attack(30, "a Parse of 1 GiB", Frontend.header('P', GIB)),
                attack(30, "a Bind of 1 GiB", Frontend.header('B', GIB)),
                new Attack(29, "the end in the middle of a message", address -> {
                    try (WireSession session = open(address)) {
                        session.send(Frontend.header('Q', 100), new byte[50]);
                        session.client().endOutput();
                        return Answer.untilClosed(session.client());
                    }
                }));
    }

    private static Stream<Attack> contents() {
        byte[] unterminated = "SELECT 1".getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                attack(32, "a Query without NUL", Frontend.message('Q', unterminated)),
                attack(32, "an empty Query without NUL", Frontend.message('Q', new byte[0])),
                attack(
                        32,
                        "a Query with bytes behind its NUL",
                        Frontend.message(
                                'Q',
                                new Frontend.Bytes()
                                        .string("SELECT 1")
                                        .string("SELECT 2")
                                        .toArray())),
                attack(32, "a Sync with a body", Frontend.message('S', new byte[3])),
                attack(32, "a Flush with a body", Frontend.message('H', new byte[3]), Frontend.sync()),
                attack(32, "a Terminate with a body", Frontend.message('X', new byte[3])),
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
                        Frontend.query("SELECT " + "(".repeat(100_000) + "1" + ")".repeat(100_000))),
                attack(47, "100,000 operators", Frontend.query("SELECT 1" + "+1".repeat(100_000))),
                attack(
                        47,
                        "10,000 arrays in each other",
                        Frontend.query("SELECT " + "ARRAY[".repeat(10_000) + "1" + "]".repeat(10_000))));
    }

    private static Stream<Attack> extended() {
        byte[] sync = Frontend.sync();
        return Stream.of(
                attack(
                        31,
                        "a Parse without NUL, then a good one",
                        Frontend.message('P', "abc".getBytes(StandardCharsets.UTF_8)),
                        Frontend.parse("", "SELECT 1"),
                        sync),
                attack(
                        31,
                        "a Bind that ends too early",
                        Frontend.parse("s", "SELECT 1"),
                        Frontend.message('B', new byte[] {0}),
                        Frontend.execute("", 0),
                        sync),
                attack(
                        32,
                        "a Parse with bytes behind it",
                        Frontend.message(
                                'P',
                                new Frontend.Bytes()
                                        .string("")
                                        .string("SELECT 1")
                                        .int16(0)
                                        .int32(7)
                                        .toArray()),
                        sync),
                attack(32, "an Execute without a row count", Frontend.message('E', new byte[] {0}), sync),
                attack(
                        32,
                        "a Describe of neither statement nor portal",
                        Frontend.message('D', new byte[] {'X', 0}),
                        sync),
                attack(32, "a Close of neither statement nor portal", Frontend.message('C', new byte[] {'X', 0}), sync),
                attack(32, "an empty Describe", Frontend.message('D', new byte[0]), sync),
                attack(
                        33,
                        "a parameter that is not UTF-8",
                        Frontend.parse("", "SELECT $1::text"),
                        bind(new byte[] {-1}),
                        sync),
                attack(
                        33,
                        "a parameter with a NUL",
                        Frontend.parse("", "SELECT $1::text"),
                        bind(new byte[] {'a', 0, 'b'}),
                        sync),
                attack(
                        33,
                        "a statement name that is not UTF-8",
                        Frontend.message(
                                'P',
                                new Frontend.Bytes()
                                        .int8(0xff)
                                        .int8(0)
                                        .string("SELECT 1")
                                        .int16(0)
                                        .toArray()),
                        sync),
                attack(34, "a Bind to no statement", Frontend.bind("", "missing"), sync),
                attack(34, "an Execute of no portal", Frontend.execute("missing", 0), sync),
                attack(35, "a name twice", Frontend.parse("s", "SELECT 1"), Frontend.parse("s", "SELECT 1"), sync),
                attack(35, "two commands in one Parse", Frontend.parse("", "SELECT 1; SELECT 2"), sync),
                attack(
                        36,
                        "a Bind with a value too few",
                        Frontend.parse("", "SELECT $1::int"),
                        Frontend.bind("", ""),
                        sync),
                attack(36, "a Bind with 65,535 formats", Frontend.parse("", "SELECT 1"), formats(65_535), sync),
                attack(
                        36,
                        "a Parse that promises 65,535 types",
                        Frontend.message(
                                'P',
                                new Frontend.Bytes()
                                        .string("")
                                        .string("SELECT 1")
                                        .int16(0xffff)
                                        .toArray()),
                        sync),
                attack(
                        37,
                        "a parameter of length -2",
                        Frontend.parse("", "SELECT $1::text"),
                        Frontend.message(
                                'B',
                                new Frontend.Bytes()
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
                        Frontend.parse("", "SELECT $1::text"),
                        Frontend.message(
                                'B',
                                new Frontend.Bytes()
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
                        Frontend.parse("", "SELECT $1::text"),
                        Frontend.bind("", "", List.of(7), new byte[][] {{'a'}}, List.of()),
                        sync),
                attack(
                        37,
                        "result format 7",
                        Frontend.parse("", "SELECT 1"),
                        Frontend.bind("", "", List.of(), new byte[0][], List.of(7)),
                        Frontend.execute("", 0),
                        sync),
                attack(38, "parameter $2000000000", Frontend.parse("", "SELECT $2000000000"), sync),
                attack(38, "parameter $99999999999999999999", Frontend.parse("", "SELECT $99999999999999999999"), sync),
                attack(
                        39,
                        "a statement name of 100,000 bytes",
                        Frontend.parse("n".repeat(100_000), "SELECT 1"),
                        Frontend.bind("", "n".repeat(100_000)),
                        Frontend.execute("", 0),
                        sync),
                attack(
                        44,
                        "CopyData, CopyDone and CopyFail that nobody asked for",
                        Frontend.copyData(new byte[100]),
                        Frontend.copyDone(),
                        Frontend.copyFail("no"),
                        sync),
                attack(44, "a password after authentication", Frontend.password("again"), sync),
                attack(44, "a function call that ends too early", Frontend.message('F', new byte[] {0, 0})));
    }

    private static Stream<Attack> floods() {
        return Stream.of(
                new Attack(40, "100,000 pipelined Syncs", address -> {
                    try (WireSession session = open(address)) {
                        byte[] sync = Frontend.sync();
                        byte[] all = new byte[sync.length * SYNCS];
                        for (int i = 0; i < SYNCS; i++) {
                            System.arraycopy(sync, 0, all, i * sync.length, sync.length);
                        }
                        session.send(all);
                        for (int i = 1; i < SYNCS; i++) {
                            Message message = session.client().read();
                            if (message.type() != 'Z') {
                                return Answer.of("after " + i + " Syncs: " + message);
                            }
                        }
                        return Answer.untilReady(session.client());
                    }
                }),
                new Attack(40, "10,000 pipelined queries", address -> {
                    try (WireSession session = open(address)) {
                        byte[][] all = new byte[10_000][];
                        Arrays.setAll(all, i -> Frontend.query("SELECT " + i));
                        session.send(all);
                        for (int i = 0; i < all.length - 1; i++) {
                            List<Message> messages = session.ready();
                            if (!messages.get(1).texts().equals(List.of(String.valueOf(i)))) {
                                return Answer.of("to query " + i + ": " + messages);
                            }
                        }
                        return Answer.untilReady(session.client());
                    }
                }),
                new Attack(41, "an error, then a million messages before Sync", address -> {
                    try (WireSession session = open(address)) {
                        byte[] execute = Frontend.execute("", 0);
                        byte[] many = new byte[execute.length * 1000];
                        for (int i = 0; i < 1000; i++) {
                            System.arraycopy(execute, 0, many, i * execute.length, execute.length);
                        }
                        session.send(Frontend.parse("", "SELEKT"));
                        for (int i = 0; i < SKIPPED / 1000; i++) {
                            session.send(many);
                        }
                        session.send(Frontend.sync());
                        return Answer.untilReady(session.client());
                    }
                }),
                new Attack(41, "an error, then a Query before Sync", address -> {
                    try (WireSession session = open(address)) {
                        session.send(Frontend.parse("", "SELEKT"), Frontend.query("SELECT 1"), Frontend.sync());
                        return Answer.untilReady(session.client());
                    }
                }),
                new Attack(41, "an error, then an unknown type before Sync", address -> {
                    try (WireSession session = open(address)) {
                        session.send(Frontend.parse("", "SELEKT"), Frontend.message('z', new byte[0]), Frontend.sync());
                        return Answer.untilReady(session.client());
                    }
                }));
    }

    private static Attack attack(int number, String name, byte[]... parts) {
        return new Attack(number, name, address -> {
            try (WireSession session = open(address)) {
                session.send(parts);
                return Answer.untilReady(session.client());
            }
        });
    }

    private static WireSession open(ServerAddress address) throws IOException {
        return WireSession.open(address, "postgres", "postgres", PATIENCE);
    }

    private static byte[] query(byte[] sql) {
        return Frontend.message('Q', new Frontend.Bytes().bytes(sql).int8(0).toArray());
    }

    private static byte[] bind(byte[] value) {
        return Frontend.bind("", "", List.of(), new byte[][] {value}, List.of());
    }

    private static byte[] formats(int count) {
        Frontend.Bytes body = new Frontend.Bytes().int8(0).int8(0).int16(count);
        for (int i = 0; i < count; i++) {
            body.int16(0);
        }
        return Frontend.message('B', body.int16(0).int16(0).toArray());
    }
}
