package io.multimed.tests.hostile;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ScramClient;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import io.multimed.tests.server.PlainServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Input during password authentication: attacks 19 to 22 and 26. */
final class AuthenticationAttacks {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String UNKNOWN_USER = "nobody_at_all";

    private AuthenticationAttacks() {}

    /** The second message of the client, made from the first of the server. */
    private interface Second {
        byte[] answer(ScramClient scram, Message serverFirst) throws GeneralSecurityException, IOException;
    }

    static Stream<Attack> all() {
        return Stream.of(
                exchange(19, "an unknown user", UNKNOWN_USER, "anything", ScramClient::last),
                exchange(22, "a wrong password", PlainServer.SCRAM_USER, "wrong", ScramClient::last),
                exchange(
                        19,
                        "the right password (no attack)",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        ScramClient::last),
                exchange(
                        22,
                        "another nonce",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        (scram, first) -> response(scram.lastText(first, false))),
                exchange(
                        22,
                        "a proof that is not base64",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        (scram, first) -> response(scram.lastText(first, true).replaceAll("p=.*", "p=!!not base64!!"))),
                exchange(
                        22,
                        "a proof that is too short",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        (scram, first) -> response(scram.lastText(first, true).replaceAll("p=.*", "p=QUJD"))),
                exchange(
                        22,
                        "no proof",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        (scram, first) -> response(scram.lastText(first, true).replaceAll(",p=.*", ""))),
                exchange(
                        22,
                        "an empty response",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        (scram, first) -> response("")),
                exchange(
                        22,
                        "a response with a NUL in it",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        (scram, first) -> response("c=biws\0,r=x,p=QUJD")),
                exchange(
                        20,
                        "a query instead of the proof",
                        PlainServer.SCRAM_USER,
                        PlainServer.SCRAM_PASSWORD,
                        (scram, first) -> FrontendBytes.query("SELECT 1")),
                first(1, "no password", new byte[0]),
                new Attack(2, "a password, one byte at a time", address -> {
                    try (WireClient client = asked(address, PlainServer.SCRAM_USER)) {
                        for (byte one : initial("SCRAM-SHA-256", 500, "n,,n=,r=" + "a".repeat(492))) {
                            if (client.endsWithin(Duration.ofMillis(200))) {
                                return Reaction.of(Reaction.CLOSED);
                            }
                            client.send(new byte[] {one});
                        }
                        return Reaction.of("took it all");
                    }
                }),
                new Attack(19, "an unknown user, asked twice for the same password", address -> {
                    List<String> salts = new ArrayList<>();
                    for (int i = 0; i < 2; i++) {
                        try (WireClient client = asked(address, UNKNOWN_USER)) {
                            client.send(new ScramClient("anything").first());
                            salts.add(saltAndIterations(client.read()));
                        }
                    }
                    return Reaction.of(salts.get(0).equals(salts.get(1)) ? "the same salt" : "found out: " + salts);
                }),
                new Attack(19, "an unknown user and a known one", address -> {
                    List<String> lengths = new ArrayList<>();
                    for (String user : List.of(UNKNOWN_USER, PlainServer.SCRAM_USER)) {
                        try (WireClient client = asked(address, user)) {
                            client.send(new ScramClient("anything").first());
                            lengths.add(saltAndIterations(client.read()).replaceAll("s=[^,]{24},", "s=16 bytes,"));
                        }
                    }
                    return new Reaction(lengths);
                }),
                first(20, "a query instead of a password", FrontendBytes.query("SELECT 1")),
                first(26, "Sync instead of a password", FrontendBytes.sync()),
                first(20, "Terminate instead of a password", FrontendBytes.terminate()),
                first(20, "a password in the clear", FrontendBytes.password(PlainServer.SCRAM_PASSWORD)),
                first(21, "a SASL length past the message", initial("SCRAM-SHA-256", 1_000_000, "n,,n=,r=abc")),
                first(21, "a negative SASL length", initial("SCRAM-SHA-256", -2, "n,,n=,r=abc")),
                first(21, "a SASL message without a response", initial("SCRAM-SHA-256", -1, "")),
                first(
                        21,
                        "a SASL message of 70,000 bytes",
                        initial("SCRAM-SHA-256", 70_000, "n,,n=,r=" + "a".repeat(69_992))),
                first(21, "an empty SASL message", FrontendBytes.message('p', new byte[0])),
                first(21, "a length of -1", FrontendBytes.header('p', -1)),
                first(21, "a length of 1 GiB", FrontendBytes.header('p', 1 << 30)),
                first(22, "an unknown mechanism", initial("SCRAM-MD5", 11, "n,,n=,r=abc")),
                first(
                        22,
                        "channel binding that was not offered",
                        initial("SCRAM-SHA-256-PLUS", 32, "p=tls-server-end-point,,n=,r=abc")),
                first(
                        22,
                        "channel binding asked for in a mechanism without",
                        initial("SCRAM-SHA-256", 32, "p=tls-server-end-point,,n=,r=abc")),
                first(22, "a nonce with a comma missing", initial("SCRAM-SHA-256", 10, "n,,n=r=abc")),
                first(22, "an authorization identity", initial("SCRAM-SHA-256", 18, "n,a=other,n=,r=abc")),
                first(22, "a mandatory extension", initial("SCRAM-SHA-256", 17, "n,,m=x,n=,r=abc12")),
                first(22, "a client-first that is not printable", initial("SCRAM-SHA-256", 12, "n,,n=,r=ab\u0001c")));
    }

    private static Attack exchange(int number, String name, String user, String password, Second second) {
        return new Attack(number, name, address -> {
            try (WireClient client = asked(address, user)) {
                ScramClient scram = new ScramClient(password);
                client.send(scram.first());
                Message serverFirst = client.read();
                if (serverFirst.type() != 'R') {
                    return Reaction.of("no SASLContinue: " + serverFirst);
                }
                client.send(second.answer(scram, serverFirst));
                return Reaction.untilReady(client);
            }
        });
    }

    /** Returns a server-first message without its nonce, which is always another. */
    private static String saltAndIterations(Message serverFirst) {
        String text = new String(serverFirst.body(), StandardCharsets.US_ASCII);
        return text.substring(text.indexOf(",s=") + 1);
    }

    private static Attack first(int number, String name, byte[] message) {
        return new Attack(number, name, address -> {
            try (WireClient client = asked(address, PlainServer.SCRAM_USER)) {
                client.send(message);
                return Reaction.untilClosed(client);
            }
        });
    }

    /** Returns a connection whose server has requested the password. */
    private static WireClient asked(ServerAddress address, String user) throws IOException {
        WireClient client = WireClient.connect(address, PATIENCE);
        client.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", user, "database", "postgres")));
        Message request = client.read();
        if (!request.toString().equals("Authentication SASL SCRAM-SHA-256")) {
            client.close();
            throw new IOException("no SCRAM is asked for: " + request);
        }
        return client;
    }

    private static byte[] response(String text) {
        return FrontendBytes.message('p', text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] initial(String mechanism, int length, String response) {
        return FrontendBytes.message(
                'p',
                new FrontendBytes.Bytes()
                        .string(mechanism)
                        .int32(length)
                        .bytes(response.getBytes(StandardCharsets.UTF_8))
                        .toArray());
    }
}
