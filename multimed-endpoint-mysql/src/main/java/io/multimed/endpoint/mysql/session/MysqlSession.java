package io.multimed.endpoint.mysql.session;

import io.multimed.core.admission.Admission;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.session.SessionFreshness;
import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.model.Freshness;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.ServerGreeting;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's session, from its connection to its end. Used on its loop alone.
 *
 * <p>It has more fields and lines than other classes, since it holds a session's parts together, and what the client and the
 * Master said at the login.
 */
public final class MysqlSession {
    private static final Logger LOG = LoggerFactory.getLogger(MysqlSession.class);

    private final MysqlLoop loop;
    private final MysqlClientLink client;
    private final SessionState state = new SessionState();
    private final SessionFreshness freshness = new SessionFreshness(new Freshness.Strong());
    private final Admission admission;
    private final MasterHold hold;
    private @Nullable SessionCommands commands;
    private @Nullable ClientReader reader;
    private @Nullable HandshakeResponse response;
    private @Nullable SatelliteReads satellites;
    private long capabilities;
    private long offered;
    private long number;
    private byte[] scramble = new byte[0];
    private byte @Nullable [] reply;
    private byte[] account = new byte[0];
    private boolean loggedIn;
    private boolean ended;

    private MysqlSession(MysqlLoop loop, MysqlClientLink client) {
        this.loop = loop;
        this.client = client;
        admission = new Admission(loop.services().admission(), freshness);
        hold = new MasterHold(this);
    }

    /** Begins the session of a client that has connected. */
    public static MysqlSession begin(MysqlLoop loop, MysqlClientLink client) {
        MysqlSession session = new MysqlSession(loop, client);
        loop.sessions().add(session);
        session.hold.acquire(granted -> {
            if (granted) {
                String socket = loop.services()
                        .socketPath()
                        .apply(loop.services().admission().nodes().master());
                EngineLink.open(loop.loop(), socket, new Unconnected(session), session::connected);
            } else {
                session.refuseConnection(MysqlErrors.TOO_MANY_CLIENTS);
            }
        });
        return session;
    }

    private void refuseConnection(ErrMessage error) {
        ByteBuf out = client.alloc().buffer();
        MysqlErrors.write(out, 0, error);
        client.write(out);
        finish();
    }

    private void connected(@Nullable EngineLink link) {
        if (link == null) {
            refuseConnection(MysqlErrors.NO_MASTER);
            return;
        }
        if (ended) {
            link.close();
            return;
        }
        hold.link(link);
        link.announce(client.remote(), client.local());
        link.flush();
        link.onWritable(client::reading);
        LoginRelay login = new LoginRelay(this, link);
        reader = login;
        link.sink(login);
    }

    /** Reads what the client has sent, as far as the session can handle it now. */
    public void read(ByteBuf in) throws MysqlProtocolException {
        if (reader != null && !ended) {
            reader.clientPackets(in);
        }
    }

    /** Whether the client has logged in. */
    public boolean isLoggedIn() {
        return loggedIn;
    }

    /** Whether a command is under way. */
    public boolean isBusy() {
        return commands != null && commands.isBusy();
    }

    /** Ends a session whose client has violated the protocol before its login. */
    public void refuse() {
        ByteBuf out = client.alloc().buffer();
        MysqlErrors.write(out, client.isEncrypted() ? 3 : 2, MysqlErrors.BAD_HANDSHAKE);
        client.write(out);
        finish();
    }

    void greeted(ServerGreeting greeting) {
        offered = greeting.capabilities();
        state.variables().engines(greeting.version());
        scramble = greeting.scramble();
        number = greeting.connectionId();
        hold.number(number);
    }

    void loggedIn() {
        loggedIn = true;
        ready();
    }

    /** Takes over, after a login, with what the session can log in to Satellites. */
    void satelliteLogin(boolean possible, byte @Nullable [] hash) {
        if (satellites == null) {
            satellites = new SatelliteReads(this);
            commands = new SessionCommands(this, satellites);
        }
        satellites.login(possible, hash);
    }

    /** Goes on with the client's next command. */
    void ready() {
        if (ended || commands == null) {
            return;
        }
        reader = commands;
        idleOnMaster();
        commands.idle();
        client.readOnAgain();
        if (!ended && commands.isIdle()) {
            hold.idle();
        }
    }

    /** Records that no command is under way on the Master. */
    void idleOnMaster() {
        EngineLink master = hold.link();
        if (master != null) {
            master.sink(new Idle(this));
            master.onWritable(client::reading);
            master.reading(true);
        }
    }

    /** Returns the connection to the Master, of a session that has one. */
    EngineLink master() {
        EngineLink master = hold.link();
        if (master == null) {
            throw new IllegalStateException("the session has given up its connection to the Master");
        }
        return master;
    }

    MasterHold hold() {
        return hold;
    }

    /** Whether the session has given up its connection to the Master. */
    boolean isWithoutMaster() {
        return hold.link() == null || hold.isMoving();
    }

    /** Whether the session is idle and has nothing on the Master that another connection cannot be told. */
    boolean canLeaveMaster() {
        return commands != null
                && satellites != null
                && reader == commands
                && commands.canLeaveMaster()
                && satellites.isPasswordKnown()
                && state.canMove()
                && areStatementsMovable()
                && (!state.hasChangedMany() || satellites.last().exists());
    }

    /** Whether another connection to the Master can be made to have all statements that the client has prepared. */
    boolean areStatementsMovable() {
        return commands == null || commands.statements().registry().canMove();
    }

    /** Returns the time of the last command to the Master. */
    long masterAskedNanos() {
        return commands == null ? System.nanoTime() : commands.masterAskedNanos();
    }

    /** Returns the client's prepared statements; null before the login. */
    @Nullable
    PreparedStatements statements() {
        return commands == null ? null : commands.statements();
    }

    /** Returns the number of the connection that the client knows. */
    long number() {
        return number;
    }

    /**
     * Finds out the Master's number of the session's connection, from any thread. If it has none, one is made.
     *
     * @param from loop on which the answer is received; 0 if there is none
     */
    void askNumber(EventLoop from, LongConsumer done) {
        loop.loop().execute(() -> {
            if (ended) {
                from.execute(() -> done.accept(0));
                return;
            }
            hold.need(succeeded -> {
                long present = hold.number();
                from.execute(() -> done.accept(present));
                if (commands != null && commands.isIdle()) {
                    hold.idle();
                    client.readOnAgain();
                }
            });
        });
    }

    /** Returns the account in UTF-8, as {@code CURRENT_USER()} shows it. */
    byte[] account() {
        return account;
    }

    void account(byte[] name) {
        account = name;
    }

    byte @Nullable [] passwordHash() {
        return satellites == null ? null : satellites.passwordHash();
    }

    /** Goes on with the present command. */
    void goOn() {
        if (commands != null && !ended) {
            commands.goOn();
        }
    }

    /**
     * Goes on after a Satellite's reply.
     *
     * @param block the transaction of the read; null if it was one of its own
     */
    void answeredInBlock(@Nullable ReadOnlyBlock block) {
        if (block == null || commands == null) {
            ready();
        } else {
            commands.answeredInBlock(block);
        }
    }

    void reader(ClientReader next) {
        reader = next;
    }

    /** Stops reading from an engine while the client does not take its reply. */
    void watchClient(EngineLink engine) {
        if (!client.isWritable()) {
            engine.reading(false);
        }
    }

    /** Called when the client's connection has become writable again. */
    public void clientIsWritable() {
        EngineLink master = hold.link();
        if (master != null) {
            master.reading(true);
        }
        if (satellites != null) {
            satellites.readOn();
        }
    }

    void masterReplied() {
        freshness.observedOnMaster(loop.services().admission().floor());
    }

    MysqlLoop loop() {
        return loop;
    }

    MysqlClientLink client() {
        return client;
    }

    SessionState state() {
        return state;
    }

    Admission admission() {
        return admission;
    }

    SessionFreshness freshness() {
        return freshness;
    }

    /** Returns the capabilities of the client's side. */
    long clientCapabilities() {
        return capabilities;
    }

    /** Returns the capabilities of the Master's side, whose OKs tell of changes. */
    long masterCapabilities() {
        return capabilities | (Capability.SESSION_TRACK & offered);
    }

    void capabilities(long chosen) {
        capabilities = chosen;
    }

    long offered() {
        return offered;
    }

    @Nullable
    HandshakeResponse response() {
        return response;
    }

    void response(HandshakeResponse last) {
        response = last;
    }

    byte[] scramble() {
        return scramble;
    }

    void scramble(byte[] last) {
        scramble = last;
    }

    byte @Nullable [] reply() {
        return reply;
    }

    void reply(byte @Nullable [] last) {
        reply = last;
    }

    boolean isClosed() {
        return ended;
    }

    /** Sends the client what was written, and ends the session. */
    void finish() {
        client.finish();
        closed();
    }

    /** Ends the session: the client or the Master has gone. */
    public void closed() {
        if (ended) {
            return;
        }
        ended = true;
        loop.sessions().remove(this);
        loop.numbers().remove(number, this);
        if (satellites != null) {
            satellites.close();
        }
        if (commands != null) {
            commands.close();
        }
        hold.close();
        client.finish();
    }

    /** Ends the session because the endpoint closes, or the Master has gone. */
    public void shutDown() {
        finish();
    }

    /** Ends what the session does on a Satellite, from any thread. */
    void killRead() {
        loop.loop().execute(() -> {
            if (satellites != null && !ended) {
                satellites.kill();
            }
        });
    }

    /** Whether the session has a connection to a Satellite, and a command under way there, or none. */
    boolean isConnected(ComputationalNode node, boolean isBusy) {
        return satellites != null && satellites.own().isConnected(node, isBusy);
    }

    /** Gives up connections to a node that is gone. */
    void nodeGone(ComputationalNode node) {
        if (satellites != null) {
            satellites.own().nodeGone(node);
        }
    }

    /** Before the connection to the Master is there. */
    private record Unconnected(MysqlSession session) implements PacketSink {
        @Override
        public void packets(ByteBuf in) {}

        @Override
        public void closed() {
            session.closed();
        }
    }

    /** Between commands the Master says only why it ends the connection. */
    private record Idle(MysqlSession session) implements PacketSink {
        @Override
        public void packets(ByteBuf in) {
            while (PacketInput.hasPacket(in)) {
                int length = Packets.length(in, in.readerIndex());
                ByteBuf packet = in.readSlice(Packets.HEADER + length);
                if (length == 0 || packet.getUnsignedByte(Packets.HEADER) != Reply.ERR) {
                    LOG.error("The Master has sent something that nobody has asked for");
                    session.finish();
                    return;
                }
                session.client.write(packet.retain());
                session.client.flush();
            }
        }

        @Override
        public void closed() {
            session.closed();
        }
    }
}
