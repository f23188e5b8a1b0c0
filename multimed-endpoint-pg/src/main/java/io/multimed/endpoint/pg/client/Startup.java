package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.AdminDatabase;
import io.multimed.endpoint.pg.admin.Viewer;
import io.multimed.endpoint.pg.backend.ApplicationName;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.ReplicationConnection;
import io.multimed.endpoint.pg.services.EndpointServices.Role;
import io.multimed.endpoint.pg.session.Sessions;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.ClientTls;
import io.multimed.endpoint.pg.session.loop.ConnectedClient;
import io.multimed.endpoint.pg.session.settings.ConnectionLimits;
import io.multimed.endpoint.pg.session.settings.Login;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.multimed.protocol.pg.StartupPacket;
import io.netty.buffer.ByteBuf;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection from its first byte until its client is authenticated and has received ReadyForQuery. */
final class Startup {
    private static final int NEWEST_MINOR = 2;
    /** Largest number of bytes that are read before the start-up is answered. */
    private static final int MAX_EARLY_INPUT = 64 * 1024;

    private enum Phase {
        PACKETS,
        AUTHENTICATION,
        /** The role is being looked up, or the first engine connection of its kind is being opened. */
        WAITING,
        ENDED
    }

    private final ClientConnection client;
    private final EncryptionRequests encryption;
    private final ScheduledFuture<?> deadline;
    private Phase phase = Phase.PACKETS;
    private StartupParameters parameters = StartupParameters.NONE;
    private int minorVersion;
    private @Nullable Authenticating authenticating;
    private @Nullable Login login;
    private ReplicationMode replication = ReplicationMode.NONE;
    private @Nullable ReplicationLogin replicationLogin;

    Startup(ClientConnection client) {
        this.client = client;
        encryption = new EncryptionRequests(client);
        this.deadline = client.loop()
                .loop()
                .schedule(
                        client::close,
                        client.loop().options().timeouts().authentication().toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    void end() {
        phase = Phase.ENDED;
        deadline.cancel(false);
        if (authenticating != null) {
            authenticating.end();
        }
        if (login != null) {
            login.abandon();
        }
        if (replicationLogin != null) {
            replicationLogin.abandon();
        }
    }

    void process() {
        try {
            boolean progress = true;
            while (progress && phase != Phase.ENDED) {
                progress = switch (phase) {
                    case PACKETS -> packet(client.input());
                    case AUTHENTICATION -> proof(client.input());
                    case WAITING, ENDED -> false;
                };
            }
            if (phase != Phase.ENDED) {
                client.reading(client.input().readableBytes() < MAX_EARLY_INPUT);
            }
        } catch (ProtocolException violation) {
            phase = Phase.ENDED;
            client.refuse(violation);
        }
    }

    private boolean packet(ByteBuf in) throws ProtocolException {
        if (encryption.isDirectTls(in)) {
            if (!encryption.beginDirectTls(in)) {
                phase = Phase.ENDED;
                client.close();
            }
            return false;
        }
        StartupPacket packet = StartupPacket.decode(in);
        switch (packet) {
            case null -> {
                return false;
            }
            case StartupPacket.SslRequest ignored -> encryption.ssl(in);
            case StartupPacket.GssEncRequest ignored -> encryption.gss(in);
            case StartupPacket.CancelRequest cancel -> {
                phase = Phase.ENDED;
                // The connection is closed only after the request was handled. A client that has waited for that can
                // rely on the request not hitting its next statement.
                client.shared()
                        .cancelKeys()
                        .cancel(
                                cancel.processId(),
                                cancel.secret(),
                                () -> client.loop().loop().execute(client::close));
            }
            case StartupPacket.Startup startup -> startup(startup);
        }
        return true;
    }

    private void startup(StartupPacket.Startup startup) throws ProtocolException {
        Map<String, String> given = new LinkedHashMap<>(startup.parameters());
        minorVersion = Math.min(startup.minorVersion(), NEWEST_MINOR);
        List<String> unknown =
                given.keySet().stream().filter(name -> name.startsWith("_pq_.")).toList();
        unknown.forEach(given::remove);
        if (startup.minorVersion() > NEWEST_MINOR || !unknown.isEmpty()) {
            ByteBuf out = client.buffer(64);
            BackendMessages.negotiateProtocolVersion(out, minorVersion, unknown);
            client.write(out);
        }
        String replicates = given.remove("replication");
        ReplicationMode mode = ReplicationMode.of(replicates);
        if (mode == null) {
            fail(ReplicationMode.refuse(replicates));
            return;
        }
        replication = mode;
        parameters = StartupParameters.of(given);
        if (!client.enter()) {
            throw ProtocolException.fatal(SqlState.TOO_MANY_CONNECTIONS, "sorry, too many clients already");
        }
        authenticate();
    }

    private boolean proof(ByteBuf in) throws ProtocolException {
        return authenticating != null && authenticating.process(in);
    }

    private void authenticate() throws ProtocolException {
        Authenticating proof = new Authenticating(
                client,
                encryption.handler(),
                parameters.user(),
                parameters.database(),
                replication == ReplicationMode.PHYSICAL,
                new Authenticating.Outcome() {
                    @Override
                    public void authenticated() {
                        Startup.this.authenticated();
                    }

                    @Override
                    public void refused(ProtocolException error) {
                        phase = Phase.ENDED;
                        client.refuse(error);
                    }

                    @Override
                    public void asked() {
                        process();
                    }
                });
        authenticating = proof;
        phase = Phase.AUTHENTICATION;
        proof.begin();
    }

    private void authenticated() {
        phase = Phase.WAITING;
        if (replication != ReplicationMode.NONE) {
            replicate();
            return;
        }
        if (parameters.database().equals(AdminDatabase.NAME)) {
            client.loop()
                    .services()
                    .roles()
                    .find(parameters.user(), role -> client.loop().loop().execute(() -> enterAdminDatabase(role)));
            return;
        }
        if (client.shared().admin().isDisabled(parameters.database())) {
            fail(disabled());
            return;
        }
        Map<String, String> startup = parameters.ofEngine();
        String applicationName = startup.remove("application_name");
        PoolKey key = key(parameters.database(), startup);
        Login attempt = new Login(client.loop(), key, reported -> loggedIn(key, reported, applicationName), this::fail);
        login = attempt;
        attempt.start();
    }

    private void fail(ErrorFields error) {
        phase = Phase.ENDED;
        client.fail(error);
    }

    private ErrorFields disabled() {
        return ErrorFields.fatal(
                SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "database \"" + parameters.database() + "\" is disabled");
    }

    private PoolKey key(String database, Map<String, String> startup) {
        return new PoolKey(
                parameters.user(),
                database,
                startup,
                client.loop().services().schemas().sharedCatalogs());
    }

    private void replicate() {
        // A session for log and backups is in no database, whatever its start names.
        String database = replication == ReplicationMode.DATABASE ? parameters.database() : "";
        Map<String, String> startup = parameters.ofEngine();
        // Without a name of the client's, the engine would take one from the settings of its role.
        String applicationName = startup.computeIfAbsent("application_name", name -> "");
        replication.addTo(startup);
        ErrorFields refusal = ReplicationMode.refuseName(applicationName);
        if (refusal != null) {
            fail(refusal);
        } else if (client.shared().admin().isDisabled(database)) {
            fail(disabled());
        } else if (!client.enterReplication()) {
            fail(ReplicationLogin.tooMany());
        } else {
            PoolKey key = key(database, startup);
            ReplicationLogin attempt = new ReplicationLogin(
                    client.loop(), key, engine -> replicating(key, engine, applicationName), this::fail);
            replicationLogin = attempt;
            attempt.start();
        }
    }

    private void replicating(PoolKey key, ReplicationConnection engine, String applicationName) {
        phase = Phase.ENDED;
        replicationLogin = null;
        deadline.cancel(false);
        CancelKeys.Key cancelKey = client.shared().cancelKeys().register(minorVersion >= 2);
        ReplicationSession session = new ReplicationSession(client, engine, key, applicationName);
        engine.serve(session);
        begin(session, key, engine.parameters(), cancelKey);
    }

    private void enterAdminDatabase(@Nullable Role role) {
        if (phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDED;
        try {
            Viewer viewer = AdminAccess.viewer(
                    client.loop().options().login(),
                    parameters.user(),
                    role,
                    client.loop().nodes().master().serving());
            deadline.cancel(false);
            writeGreeting(AdminDatabase.REPORTED, new CancelKeys.Key(0, new byte[4]));
            client.converse(new AdminConversation(client, client.shared().admin(), viewer));
        } catch (ProtocolException refused) {
            client.refuse(refused);
        }
    }

    private void loggedIn(PoolKey key, Map<String, String> reported, @Nullable String applicationName) {
        if (phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDED;
        login = null;
        deadline.cancel(false);
        ErrorFields tooMany = ConnectionLimits.refuse(
                key,
                reported,
                client.loop().allClients(),
                client.loop().options().limits().each());
        if (tooMany != null) {
            client.fail(tooMany);
            return;
        }
        Map<String, String> told = new LinkedHashMap<>(reported);
        if (applicationName != null) {
            String version = reported.getOrDefault("server_version", "");
            told.put("application_name", ApplicationName.shown(applicationName, version));
        }
        CancelKeys.Key cancelKey = client.shared().cancelKeys().register(minorVersion >= 2);
        ClientSession session =
                Sessions.begin(client.loop(), client, key, told, applicationName, cancelKey.processId());
        begin(session, key, told, cancelKey);
    }

    /** Registers the session of a client, greets it, and passes its input to the session from now on. */
    private void begin(ClientSession session, PoolKey key, Map<String, String> told, CancelKeys.Key cancelKey) {
        SslHandler tls = encryption.handler();
        ConnectedClient connected = new ConnectedClient(
                cancelKey.processId(),
                key.user(),
                key.database(),
                client.channel().remoteAddress() instanceof InetSocketAddress tcp ? tcp : null,
                tls == null ? null : ClientTls.of(tls.engine().getSession()),
                Instant.now(),
                client.loop().loop(),
                session);
        client.loop().clients().put(session, connected);
        client.loop().allClients().add(connected);
        client.shared()
                .cancelKeys()
                .activate(
                        cancelKey,
                        done -> client.loop().loop().execute(() -> {
                            session.cancel();
                            done.run();
                        }));
        writeGreeting(told, cancelKey);
        client.converse(new ClientConnection.Conversation() {
            @Override
            public void process() {
                session.process();
            }

            @Override
            public void writable() {
                session.clientWritable();
            }

            @Override
            public void end() {
                client.shared().cancelKeys().remove(cancelKey.processId());
                client.loop().clients().remove(session);
                client.loop().allClients().remove(cancelKey.processId());
                session.end();
            }

            @Override
            public long heldBytes() {
                return session.heldBytes();
            }
        });
    }

    private void writeGreeting(Map<String, String> told, CancelKeys.Key cancelKey) {
        ByteBuf out = client.buffer(512);
        BackendMessages.authenticationOk(out);
        told.forEach((name, value) -> {
            if (Login.isTold(name)) {
                BackendMessages.parameterStatus(out, name, value);
            }
        });
        BackendMessages.backendKeyData(out, cancelKey.processId(), cancelKey.secret());
        BackendMessages.readyForQuery(out, (byte) 'I');
        client.write(out);
    }
}
