package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.AdminDatabase;
import io.multimed.endpoint.pg.auth.ChannelBinding;
import io.multimed.endpoint.pg.auth.ClientCertificate;
import io.multimed.endpoint.pg.auth.ScramServer;
import io.multimed.endpoint.pg.hba.HbaLogin;
import io.multimed.endpoint.pg.hba.HbaRule;
import io.multimed.endpoint.pg.hba.HbaRule.Method;
import io.multimed.endpoint.pg.hba.HbaRules;
import io.multimed.endpoint.pg.services.EndpointServices.Role;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proof of a client that it is who it says, as the first rule demands that concerns it. Errors are PostgreSQL's, which do not
 * tell strangers more than that; the reasons are in the log.
 */
final class Authenticating {
    private static final Logger LOG = LoggerFactory.getLogger(Authenticating.class);

    /** Told the outcome, on the event loop. */
    interface Outcome {
        void authenticated();

        void refused(ProtocolException error);

        /** The client has been asked, and may have answered already. */
        void asked();
    }

    /** An answer to a question that another thread has been asked. */
    private interface Step {
        void go() throws ProtocolException;
    }

    private enum Awaiting {
        NOTHING,
        SASL_INITIAL,
        SASL_FINAL
    }

    private final ClientConnection client;
    private final @Nullable SslHandler tls;
    private final HbaLogin asked;
    private final HbaRules rules;
    private final Outcome outcome;
    private Awaiting awaiting = Awaiting.NOTHING;
    private boolean ended;
    private @Nullable ScramServer scram;
    private @Nullable HbaRule rule;

    /** @param replication whether the client wants a replication connection, which belongs to no database */
    Authenticating(
            ClientConnection client,
            @Nullable SslHandler tls,
            String user,
            String database,
            boolean replication,
            Outcome outcome) {
        this.client = client;
        this.tls = tls;
        this.outcome = outcome;
        rules = client.loop().options().login().rules();
        asked = new HbaLogin(address(client), tls != null, database, replication, user, Set.of());
    }

    /** Returns the address of a client; null if it has none. IPv4 addresses have one form, whatever the socket. */
    private static @Nullable InetAddress address(ClientConnection client) {
        try {
            return client.channel().remoteAddress() instanceof InetSocketAddress tcp
                    ? InetAddress.getByAddress(tcp.getAddress().getAddress())
                    : null;
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    void begin() throws ProtocolException {
        if (rules.asksForRoles()) {
            client.loop().services().roles().find(asked.user(), role -> later(() -> choose(withRoles(role))));
        } else {
            choose(asked);
        }
    }

    /** Ends it, because the client has gone. */
    void end() {
        ended = true;
    }

    private void later(Step step) {
        client.loop().loop().execute(() -> {
            if (ended) {
                return;
            }
            try {
                step.go();
            } catch (ProtocolException refused) {
                outcome.refused(refused);
            }
        });
    }

    private HbaLogin withRoles(@Nullable Role role) {
        Set<String> roles = new HashSet<>();
        if (role != null) {
            roles.addAll(role.groups());
            roles.add(role.name());
        }
        return new HbaLogin(
                asked.address(), asked.encrypted(), asked.database(), asked.replication(), asked.user(), roles);
    }

    private void choose(HbaLogin login) throws ProtocolException {
        if (rules.asksForNames() && login.address() != null) {
            Thread.ofVirtual().name("multimed-host-name").start(() -> {
                HbaRule found = rules.find(login).orElse(null);
                later(() -> apply(login, found));
            });
        } else {
            apply(login, rules.find(login).orElse(null));
        }
    }

    private void apply(HbaLogin login, @Nullable HbaRule found) throws ProtocolException {
        if (found == null) {
            throw ProtocolException.fatal(SqlState.INVALID_AUTHORIZATION, login.noEntry());
        }
        rule = found;
        if (found.options().certificate() != HbaRule.ClientCertificate.NONE && certificate() == null) {
            throw ProtocolException.fatal(
                    SqlState.INVALID_AUTHORIZATION, "connection requires a valid client certificate");
        }
        switch (found.method()) {
            case REJECT -> throw ProtocolException.fatal(SqlState.INVALID_AUTHORIZATION, login.rejected());
            case TRUST, CERT -> proven(login, found);
            case PEER -> askPeer(login, found);
            case SCRAM_SHA_256 ->
                client.loop().services().roles().find(login.user(), role -> later(() -> askPassword(role)));
        }
    }

    /** The method of the rule is satisfied; the client's certificate may have to name the role besides. */
    private void proven(HbaLogin login, HbaRule by) throws ProtocolException {
        if (by.options().certificate() == HbaRule.ClientCertificate.VERIFY_FULL) {
            ClientCertificate certificate = certificate();
            String name = certificate == null
                    ? null
                    : by.options().wholeName() ? certificate.distinguishedName() : certificate.commonName();
            requirePermitted(login, by, name);
        }
        outcome.authenticated();
    }

    private void requirePermitted(HbaLogin login, HbaRule by, @Nullable String name) throws ProtocolException {
        if (!rules.permits(by, name, login)) {
            LOG.info(
                    "\"{}\" may not log in as role \"{}\" by {}, line {}",
                    name == null ? "" : name,
                    login.user(),
                    by.file(),
                    by.line());
            throw failed(by.method());
        }
    }

    private ProtocolException failed(Method method) {
        String text = switch (method) {
            case TRUST -> "\"trust\" authentication failed";
            case REJECT -> "authentication failed";
            case SCRAM_SHA_256 -> "password authentication failed";
            case CERT -> "certificate authentication failed";
            case PEER -> "Peer authentication failed";
        };
        return ProtocolException.fatal(
                method == Method.SCRAM_SHA_256 ? SqlState.INVALID_PASSWORD : SqlState.INVALID_AUTHORIZATION,
                text + " for user \"" + asked.user() + "\"");
    }

    private @Nullable ClientCertificate certificate() {
        return tls == null ? null : ClientCertificate.of(tls.engine().getSession());
    }

    private void askPeer(HbaLogin login, HbaRule by) throws ProtocolException {
        int uid;
        try {
            if (!(client.channel() instanceof EpollDomainSocketChannel socket)) {
                throw ProtocolException.fatal(
                        SqlState.FEATURE_NOT_SUPPORTED, "peer authentication is not supported on this platform");
            }
            uid = socket.peerCredentials().uid();
        } catch (IOException gone) {
            throw failed(Method.PEER);
        }
        Thread.ofVirtual().name("multimed-user-name").start(() -> {
            String name = SystemUsers.name(uid);
            later(() -> {
                requirePermitted(login, by, name);
                proven(login, by);
            });
        });
    }

    private void askPassword(@Nullable Role role) {
        ScramServer server = ScramServer.forRole(
                asked.user(),
                mayLogIn(role) ? role : null,
                tls == null ? null : ChannelBinding.of(tls.engine().getSession()));
        scram = server;
        awaiting = Awaiting.SASL_INITIAL;
        ByteBuf out = client.buffer(64);
        BackendMessages.authenticationSasl(out, server.mechanisms());
        client.write(out);
        outcome.asked();
    }

    /** Whether the role may log in. For all other databases the engine checks this; the admin database has no engine. */
    private boolean mayLogIn(@Nullable Role role) {
        return role != null && (role.canLogin() || !asked.database().equals(AdminDatabase.NAME));
    }

    /**
     * Takes a message from the client's input.
     *
     * @return whether there was one
     */
    boolean process(ByteBuf in) throws ProtocolException {
        ScramServer server = scram;
        if (awaiting == Awaiting.NOTHING || server == null || in.readableBytes() < 5) {
            return false;
        }
        byte type = in.getByte(in.readerIndex());
        int length = in.getInt(in.readerIndex() + 1);
        if (type != Frontend.PASSWORD) {
            throw ProtocolException.fatal(
                    SqlState.PROTOCOL_VIOLATION, "expected SASL response, got message type " + (type & 0xff));
        }
        if (length < 4 || length > Frontend.MAX_AUTH_TOKEN) {
            throw ProtocolException.framing("invalid message length");
        }
        if (in.readableBytes() < length + 1) {
            return false;
        }
        ByteBuf body = in.readSlice(length + 1).skipBytes(5);
        ByteBuf out = client.buffer(256);
        boolean last = awaiting == Awaiting.SASL_FINAL;
        try {
            if (last) {
                BackendMessages.authenticationSaslData(out, 12, server.last(body));
                awaiting = Awaiting.NOTHING;
            } else {
                BackendMessages.authenticationSaslData(out, 11, server.first(body));
                awaiting = Awaiting.SASL_FINAL;
            }
        } catch (ProtocolException refused) {
            out.release();
            throw refused;
        }
        client.write(out);
        HbaRule by = rule;
        if (last && by != null) {
            proven(asked, by);
        }
        return true;
    }
}
