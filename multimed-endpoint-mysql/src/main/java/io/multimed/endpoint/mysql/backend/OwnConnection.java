package io.multimed.endpoint.mysql.backend;

import io.multimed.endpoint.mysql.services.MysqlEndpointServices.Account;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.NativePassword;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection with Multimed's own account, opened when it is needed. Statements are executed one request after the other. */
public final class OwnConnection {
    private static final Logger LOG = LoggerFactory.getLogger(OwnConnection.class);
    private static final int UTF8MB4 = 45;
    private static final long CAPABILITIES = Capability.PROTOCOL_41
            | Capability.SECURE_CONNECTION
            | Capability.PLUGIN_AUTH
            | Capability.TRANSACTIONS
            | Capability.DEPRECATE_EOF;

    private record Request(List<String> statements, Consumer<@Nullable List<MysqlOwnStatements.Answer>> done) {}

    private final EventLoop loop;
    private final Supplier<String> socketPath;
    private final Account account;
    private final ArrayDeque<Request> requests = new ArrayDeque<>();
    private @Nullable EngineLink link;
    private long capabilities;
    private boolean opening;
    private boolean busy;

    public OwnConnection(EventLoop loop, Supplier<String> socketPath, Account account) {
        this.loop = loop;
        this.socketPath = socketPath;
        this.account = account;
    }

    /**
     * Executes statements.
     *
     * @param done receives, on the loop, the answers, or null if the engine could not be asked
     */
    public void execute(List<String> statements, Consumer<@Nullable List<MysqlOwnStatements.Answer>> done) {
        requests.add(new Request(statements, done));
        next();
    }

    private void next() {
        if (busy || opening || requests.isEmpty()) {
            return;
        }
        EngineLink present = link;
        if (present == null || !present.isOpen()) {
            opening = true;
            HandshakeResponse template = HandshakeResponse.of(CAPABILITIES, UTF8MB4, account.user(), new byte[0]);
            byte[] hash = NativePassword.hash(account.password());
            EngineLogin.open(loop, socketPath.get(), template, hash, before -> {}, this::opened);
            return;
        }
        busy = true;
        Request request = requests.remove();
        MysqlOwnStatements.execute(present, capabilities, request.statements(), answers -> {
            busy = false;
            present.sink(new Idle());
            request.done().accept(answers);
            next();
        });
    }

    private void opened(EngineLogin.Outcome outcome) {
        opening = false;
        switch (outcome) {
            case EngineLogin.Outcome.Done done -> {
                link = done.link();
                capabilities = done.capabilities();
                done.link().sink(new Idle());
                next();
            }
            case EngineLogin.Outcome.Failed failed -> {
                if (failed.error() != null) {
                    LOG.error(
                            "Multimed's own account is refused: {}",
                            failed.error().message());
                }
                List<Request> refused = List.copyOf(requests);
                requests.clear();
                refused.forEach(request -> request.done().accept(null));
            }
        }
    }

    public void close() {
        if (link != null) {
            link.close();
        }
    }

    /** Between requests: the engine says nothing but why it closes the connection. */
    private static final class Idle implements PacketSink {
        @Override
        public void packets(ByteBuf in) {
            in.skipBytes(in.readableBytes());
        }

        @Override
        public void closed() {}
    }
}
