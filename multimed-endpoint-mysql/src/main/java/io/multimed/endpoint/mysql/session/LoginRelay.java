package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.AuthSwitch;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.Fields;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.NativePassword;
import io.multimed.protocol.mysql.OkMessage;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.ServerGreeting;
import io.netty.buffer.ByteBuf;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A login: the Master asks, the client answers, Multimed passes both on and remembers the client's reply. The Master's OK is held back
 * until Multimed knows the account. Serves the first login, COM_CHANGE_USER and COM_RESET_CONNECTION.
 */
final class LoginRelay implements PacketSink, ClientReader {
    /** Longest message of a client before its login. */
    private static final int LONGEST = 1 << 18;

    /** Capabilities that Multimed does not pass on: compression, and messages that depend on earlier ones; encryption is its own. */
    private static final long NOT_OFFERED = Capability.SSL
            | Capability.COMPRESS
            | Capability.ZSTD
            | Capability.OPTIONAL_RESULTSET_METADATA
            | Capability.QUERY_ATTRIBUTES
            | Capability.MARIADB_CACHE_METADATA;

    private final MysqlSession session;
    private final EngineLink master;
    private boolean greeted;
    private boolean responded;
    /** Whether the Master has asked for one more packet. Without this the client's next command would be taken for an answer. */
    private boolean asked;

    private boolean ended;
    /** Whether a failure leaves the session as it was. */
    private boolean mayFail;
    /** By how much the client's sequence numbers are ahead of the Master's: the request for TLS is a packet too. */
    private int ahead;

    LoginRelay(MysqlSession session, EngineLink master) {
        this.session = session;
        this.master = master;
    }

    /** Begins with a command of a client that is logged in. */
    void beginAgain(ByteBuf packet, boolean changesUser) throws MysqlProtocolException {
        greeted = true;
        responded = true;
        mayFail = !changesUser;
        if (changesUser) {
            HandshakeResponse response = HandshakeResponse.decodeChangeUser(
                    packet.slice(packet.readerIndex() + Packets.HEADER, packet.readableBytes() - Packets.HEADER),
                    session.clientCapabilities());
            session.response(response);
            session.reply(isNative(response) ? response.reply() : null);
            if (session.hold().hasMoved()) {
                haveAsked(packet, response.plugin());
            }
        }
        master.sink(this);
        master.writeAndFlush(packet.retain());
    }

    /**
     * Has the Master ask the client for a reply: the present one is for the first connection's scramble. A plugin of another name than the
     * account's makes it ask.
     */
    private static void haveAsked(ByteBuf packet, byte[] plugin) {
        String name = new String(plugin, java.nio.charset.StandardCharsets.ISO_8859_1);
        int at = packet.toString(java.nio.charset.StandardCharsets.ISO_8859_1).lastIndexOf(name + "\0");
        if (plugin.length > 0 && at >= 0) {
            packet.setByte(packet.readerIndex() + at + plugin.length - 1, '_');
        }
    }

    private static boolean isNative(HandshakeResponse response) {
        return response.plugin().length == 0
                || new String(response.plugin(), java.nio.charset.StandardCharsets.US_ASCII)
                        .equals(NativePassword.NAME);
    }

    @Override
    public void packets(ByteBuf in) throws MysqlProtocolException {
        while (!ended && PacketInput.hasPacket(in)) {
            int length = Packets.length(in, in.readerIndex());
            ByteBuf packet = in.readSlice(Packets.HEADER + length);
            int first = length == 0 ? -1 : packet.getUnsignedByte(Packets.HEADER);
            ByteBuf payload = packet.slice(Packets.HEADER, length);
            if (first == Reply.ERR) {
                failed(packet);
            } else if (!greeted) {
                greet(ServerGreeting.decode(payload), Packets.sequence(packet, 0));
            } else if (first == Reply.OK) {
                ended = true;
                check(OkMessage.decode(payload, session.masterCapabilities()), Packets.sequence(packet, 0) + ahead);
            } else {
                if (first == Reply.EOF) {
                    AuthSwitch request = AuthSwitch.decode(payload);
                    boolean isNative = request.plugin().equals(NativePassword.NAME);
                    session.scramble(isNative ? request.scramble() : new byte[0]);
                    session.reply(null);
                }
                asked = true;
                writeToClient(packet);
                session.client().flush();
                session.client().readOnAgain();
            }
        }
    }

    private void failed(ByteBuf packet) {
        ended = true;
        writeToClient(packet);
        if (mayFail) {
            session.client().flush();
            session.ready();
        } else {
            session.finish();
        }
    }

    private void writeToClient(ByteBuf packet) {
        Packets.sequence(packet, 0, Packets.sequence(packet, 0) + ahead);
        session.client().write(packet.retain());
    }

    private void greet(ServerGreeting greeting, int sequence) {
        greeted = true;
        session.greeted(greeting);
        ByteBuf out = session.client().alloc().buffer();
        int begun = Packets.begin(out, sequence);
        long passedOn = greeting.capabilities() & ~NOT_OFFERED;
        greeting.with(session.client().offersTls() ? passedOn | Capability.SSL : passedOn)
                .encode(out);
        Packets.end(out, begun);
        session.client().write(out);
        session.client().flush();
        session.client().readOnAgain();
    }

    @Override
    public void clientPackets(ByteBuf in) throws MysqlProtocolException {
        if (!greeted || ended || (responded && !asked)) {
            return;
        }
        if (in.readableBytes() >= Packets.HEADER && Packets.length(in, in.readerIndex()) > LONGEST) {
            throw new MysqlProtocolException("message too long before login");
        }
        if (!responded && HandshakeResponse.isTlsRecord(in)) {
            throw new MysqlProtocolException("TLS without a request");
        }
        if (!PacketInput.hasPacket(in)) {
            return;
        }
        int length = Packets.length(in, in.readerIndex());
        ByteBuf packet = in.readSlice(Packets.HEADER + length);
        ByteBuf payload = packet.slice(Packets.HEADER, length);
        MysqlClientLink client = session.client();
        if (responded) {
            asked = false;
            if (session.scramble().length > 0) {
                session.reply(Fields.readRest(payload));
            }
            Packets.sequence(packet, 0, Packets.sequence(packet, 0) - ahead);
            master.writeAndFlush(packet.retain());
        } else if (client.isEncrypted() || !HandshakeResponse.isTlsRequest(payload)) {
            respond(payload, Packets.sequence(packet, 0));
        } else if (client.offersTls()) {
            client.beginTls(in);
        } else {
            throw new MysqlProtocolException("TLS is not offered");
        }
    }

    private void respond(ByteBuf payload, int sequence) throws MysqlProtocolException {
        responded = true;
        if (!session.client().isEncrypted() && session.client().requiresTls()) {
            ended = true;
            refuse(MysqlErrors.INSECURE, sequence + 1);
            return;
        }
        HandshakeResponse client = HandshakeResponse.decode(payload);
        HandshakeResponse response = client.withCapabilities(client.capabilities() & ~NOT_OFFERED);
        session.reply(isNative(client) ? client.reply() : null);
        if (session.client().isEncrypted() && Capability.has(session.offered(), Capability.SSL)) {
            mayRequireTls(client.user(), required -> {
                if (!session.isClosed()) {
                    passOn(
                            required ? response.withCapabilities(response.capabilities() | Capability.SSL) : response,
                            sequence);
                }
            });
        } else {
            passOn(response, sequence);
        }
    }

    /**
     * Finds out whether there is an account of this name that requires TLS. The Master does not see that of the client; for such an
     * account, Multimed's own connection has it too.
     */
    private void mayRequireTls(byte[] user, Consumer<Boolean> done) {
        String query =
                "SELECT COUNT(*) FROM mysql.global_priv WHERE User IN (X'%s', '') AND JSON_VALUE(Priv, '$.ssl_type') > 0"
                        .formatted(HexFormat.of().formatHex(user));
        session.loop().own().execute(List.of(query), answers -> {
            List<@Nullable String> row = answers == null ? null : answers.get(0).onlyRow();
            done.accept(row != null && !"0".equals(row.get(0)));
        });
    }

    /** @param sequence number of the client's packet */
    private void passOn(HandshakeResponse response, int sequence) {
        session.capabilities(response.capabilities() & session.offered());
        session.response(response);
        HandshakeResponse sent = response.withCapabilities(response.capabilities() | Capability.SESSION_TRACK);
        if (Capability.has(response.capabilities(), Capability.SSL)) {
            master.beginTls(sent, sequence - 1);
        } else if (session.client().isEncrypted()) {
            ahead = 1;
        }
        ByteBuf message = master.alloc().buffer();
        ByteBuf out = master.alloc().buffer();
        try {
            sent.encode(message);
            Packets.write(out, sequence - ahead, message);
        } finally {
            message.release();
        }
        master.writeAndFlush(out);
    }

    private void check(OkMessage ok, int sequence) {
        SessionSetup.prepare(session, master, session.scramble(), session.reply(), error -> {
            if (session.isClosed()) {
                return;
            }
            if (error != null) {
                refuse(error, sequence);
                return;
            }
            ByteBuf out = session.client().alloc().buffer();
            int begun = Packets.begin(out, sequence);
            withProof(ok).encode(out, session.clientCapabilities());
            Packets.end(out, begun);
            session.client().write(out);
            session.client().flush();
            session.loggedIn();
        });
    }

    /** Adds the information by which the client can verify the certificate that it was shown, to the OK of its first login. */
    private OkMessage withProof(OkMessage ok) {
        byte[] certificate = session.client().certificate();
        byte[] hash = session.passwordHash();
        if (session.isLoggedIn() || certificate == null || hash == null) {
            return ok;
        }
        try {
            return ok.withLoginInfo(NativePassword.certificateProof(hash, session.scramble(), certificate));
        } catch (MysqlProtocolException otherInformation) {
            return ok;
        }
    }

    private void refuse(ErrMessage error, int sequence) {
        ByteBuf out = session.client().alloc().buffer();
        MysqlErrors.write(out, sequence, error);
        session.client().write(out);
        session.finish();
    }

    @Override
    public void closed() {
        session.closed();
    }
}
