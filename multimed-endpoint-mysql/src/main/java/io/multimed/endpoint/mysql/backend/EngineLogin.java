package io.multimed.endpoint.mysql.backend;

import io.multimed.protocol.mysql.AuthSwitch;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.NativePassword;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.ServerGreeting;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A login by Multimed, with the hash of a password of the plugin mysql_native_password. */
public final class EngineLogin implements PacketSink {
    /** The result of a login. */
    public sealed interface Outcome {
        /** @param connectionId the engine's number of the connection */
        record Done(EngineLink link, long connectionId, long capabilities) implements Outcome {}

        /** @param error the engine's answer; null if it gave none */
        record Failed(@Nullable ErrMessage error) implements Outcome {}
    }

    private final HandshakeResponse template;
    private final byte @Nullable [] hash;
    private final Consumer<EngineLink> beforeResponse;
    private final Consumer<Outcome> done;
    private @Nullable EngineLink link;
    private @Nullable ServerGreeting greeting;
    private long capabilities;
    private boolean ended;

    private EngineLogin(
            HandshakeResponse template,
            byte @Nullable [] hash,
            Consumer<EngineLink> beforeResponse,
            Consumer<Outcome> done) {
        this.template = template;
        this.hash = hash;
        this.beforeResponse = beforeResponse;
        this.done = done;
    }

    /**
     * Opens a connection and logs in.
     *
     * @param template the response without the reply. If the flag for TLS is among its capabilities, TLS is begun
     * @param hash SHA1(password); null for an empty password
     * @param beforeResponse sends what precedes the response
     * @param done called on the loop; it chooses the connection's next sink
     */
    public static void open(
            EventLoop loop,
            String socketPath,
            HandshakeResponse template,
            byte @Nullable [] hash,
            Consumer<EngineLink> beforeResponse,
            Consumer<Outcome> done) {
        EngineLogin login = new EngineLogin(template, hash, beforeResponse, done);
        EngineLink.open(loop, socketPath, login, opened -> {
            login.link = opened;
            if (opened == null) {
                login.end(new Outcome.Failed(null));
            }
        });
    }

    @Override
    public void packets(ByteBuf in) throws MysqlProtocolException {
        while (!ended && PacketInput.hasPacket(in)) {
            int sequence = Packets.sequence(in, in.readerIndex());
            int length = Packets.length(in, in.readerIndex());
            ByteBuf payload = in.skipBytes(Packets.HEADER).readSlice(length);
            int first = length == 0 ? -1 : payload.getUnsignedByte(0);
            if (first == Reply.ERR) {
                end(new Outcome.Failed(ErrMessage.decode(payload)));
            } else if (greeting == null) {
                greeting = ServerGreeting.decode(payload);
                respond(greeting, sequence + 1);
            } else if (first == Reply.OK && link != null) {
                end(new Outcome.Done(link, greeting.connectionId(), capabilities));
            } else if (first == Reply.EOF) {
                authenticate(AuthSwitch.decode(payload), sequence + 1);
            } else {
                end(new Outcome.Failed(null));
            }
        }
    }

    private void respond(ServerGreeting to, int sequence) {
        EngineLink out = link;
        if (out == null) {
            return;
        }
        beforeResponse.accept(out);
        capabilities = template.capabilities() & to.capabilities();
        HandshakeResponse response = template.withCapabilities(capabilities)
                .withReply(NativePassword.reply(hash, to.scramble()), NativePassword.NAME);
        boolean encrypts = Capability.has(capabilities, Capability.SSL);
        if (encrypts) {
            out.beginTls(response, sequence);
        }
        ByteBuf payload = out.alloc().buffer();
        ByteBuf packet = out.alloc().buffer();
        try {
            response.encode(payload);
            Packets.write(packet, encrypts ? sequence + 1 : sequence, payload);
        } finally {
            payload.release();
        }
        out.writeAndFlush(packet);
    }

    private void authenticate(AuthSwitch request, int sequence) {
        EngineLink out = link;
        if (out == null || !request.plugin().equals(NativePassword.NAME)) {
            end(new Outcome.Failed(null));
            return;
        }
        ByteBuf packet = out.alloc().buffer();
        int begun = Packets.begin(packet, sequence);
        packet.writeBytes(NativePassword.reply(hash, request.scramble()));
        Packets.end(packet, begun);
        out.writeAndFlush(packet);
    }

    private void end(Outcome outcome) {
        if (ended) {
            return;
        }
        ended = true;
        if (outcome instanceof Outcome.Failed && link != null) {
            link.close();
        }
        done.accept(outcome);
    }

    @Override
    public void closed() {
        end(new Outcome.Failed(null));
    }
}
