package io.multimed.endpoint.mysql.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.EngineLogin;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.endpoint.mysql.backend.OwnConnection;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's connection to a Satellite: logged in as the session's user, and told the session's settings when they have changed.
 *
 * <p>It has more fields than other classes, since it compares what the engine was told with the state of the session, one field
 * for each thing told.
 */
final class SatelliteConnection {
    private static final long LONGEST_UNUSED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MysqlSession session;
    private final ComputationalNode node;
    private @Nullable EngineLink link;
    private long capabilities;
    private long number;
    private int variablesVersion = -1;
    private byte[] database = new byte[0];
    /** The engine's numbers of the client's statements that it has prepared. */
    private final Map<MysqlPreparedStatement, Integer> statements = new HashMap<>();

    private long usedNanos = System.nanoTime();
    private boolean autocommit = true;
    private boolean closed;
    private boolean killed;
    private boolean warned;

    SatelliteConnection(MysqlSession session, ComputationalNode node) {
        this.session = session;
        this.node = node;
    }

    ComputationalNode node() {
        return node;
    }

    boolean isOpen() {
        return !closed && link != null && link.isOpen();
    }

    @Nullable
    EngineLink link() {
        return link;
    }

    long capabilities() {
        return capabilities;
    }

    /** Returns the capabilities of a connection for a client's reads. */
    static long capabilities(HandshakeResponse login) {
        return (login.capabilities()
                        & ~(Capability.CONNECT_WITH_DB | Capability.INTERACTIVE | Capability.MARIADB_PROGRESS))
                | Capability.PLUGIN_AUTH
                | Capability.SECURE_CONNECTION;
    }

    /** @param done receives whether the connection can be used */
    void open(byte @Nullable [] hash, Consumer<Boolean> done) {
        HandshakeResponse response = session.response();
        if (response == null) {
            done.accept(false);
            return;
        }
        HandshakeResponse template = response.withoutPassword(capabilities(response));
        EngineLogin.open(
                session.loop().loop(),
                session.loop().services().socketPath().apply(node),
                template,
                hash,
                opened -> opened.announce(
                        session.client().remote(), session.client().local()),
                outcome -> opened(outcome, done));
    }

    private void opened(EngineLogin.Outcome outcome, Consumer<Boolean> done) {
        switch (outcome) {
            case EngineLogin.Outcome.Failed ignored -> {
                closed = true;
                done.accept(false);
            }
            case EngineLogin.Outcome.Done ready -> {
                if (closed || session.isClosed()) {
                    ready.link().close();
                    closed = true;
                    done.accept(false);
                    return;
                }
                link = ready.link();
                capabilities = ready.capabilities();
                number = ready.connectionId();
                prepare(done);
            }
        }
    }

    /**
     * Tells the engine what has changed of the session's settings.
     *
     * @param done receives whether that was possible
     */
    void prepare(Consumer<Boolean> done) {
        EngineLink to = link;
        if (to == null || !isOpen()) {
            done.accept(false);
            return;
        }
        MysqlVariables variables = session.state().variables();
        List<String> statements = new ArrayList<>();
        if (variablesVersion < 0) {
            // With a transaction that stays open, the second read would show what the first has seen.
            statements.add("SET autocommit=1");
            statements.add("SET SESSION TRANSACTION READ ONLY");
        }
        if (variablesVersion != variables.version()) {
            statements.addAll(variables.statements());
        }
        byte[] present = session.state().database();
        if (present.length == 0 && database.length > 0) {
            // The database was dropped, and no statement leaves one.
            close();
            done.accept(false);
            return;
        }
        // The choice of a database, of the same one too, renews the rights there.
        if (database != present && present.length > 0) {
            String use = SharedTerms.use(present);
            if (use == null) {
                done.accept(false);
                return;
            }
            statements.add(use);
        }
        if (statements.isEmpty()) {
            done.accept(true);
            return;
        }
        int version = variables.version();
        MysqlOwnStatements.execute(to, capabilities, statements, answers -> {
            boolean succeeded = answers != null && answers.stream().allMatch(answer -> answer.error() == null);
            if (succeeded) {
                variablesVersion = version;
                database = present;
                to.sink(new Idle(this));
            } else {
                close();
            }
            done.accept(succeeded);
        });
    }

    /**
     * Records whether the engine has warned of a read.
     *
     * @param keepsOthers whether it still shows the warnings of reads before
     */
    void warned(boolean hasWarned, boolean keepsOthers) {
        warned = hasWarned || (warned && keepsOthers);
    }

    /** Whether the engine shows warnings. */
    boolean isWarned() {
        return warned;
    }

    /** Whether it has been idle for long, and has prepared nothing. */
    boolean isUnused(long now) {
        return statements.isEmpty() && now - usedNanos > LONGEST_UNUSED_NANOS;
    }

    /** Whether the engine's session has autocommit, which its replies show. */
    boolean isAutocommit() {
        return autocommit;
    }

    void autocommit(boolean on) {
        autocommit = on;
    }

    boolean hasPrepared(MysqlPreparedStatement statement) {
        return statements.containsKey(statement);
    }

    /** Returns the engine's number of a statement that it has prepared. */
    int numberOf(MysqlPreparedStatement statement) {
        Integer known = statements.get(statement);
        return known == null ? ExecuteMessage.LAST_PREPARED : known;
    }

    void prepared(MysqlPreparedStatement statement, int engineNumber) {
        statements.put(statement, engineNumber);
    }

    /** Has the engine close a statement. */
    void forget(MysqlPreparedStatement statement) {
        Integer known = statements.remove(statement);
        EngineLink to = link;
        if (known != null && to != null && to.isOpen()) {
            ByteBuf out = to.alloc().buffer();
            int begun = Packets.begin(out, 0);
            out.writeByte(MysqlCommand.STMT_CLOSE).writeIntLE(known);
            Packets.end(out, begun);
            to.writeAndFlush(out);
        }
    }

    /** Whether the read that is under way has been killed by a client. */
    boolean wasKilled() {
        return killed;
    }

    /** Records that nothing is under way. */
    void idle() {
        usedNanos = System.nanoTime();
        killed = false;
        if (link != null) {
            link.sink(new Idle(this));
        }
    }

    void readOn() {
        if (link != null) {
            link.reading(true);
        }
    }

    /** Ends the read that is under way. */
    void kill() {
        killed = true;
        OwnConnection own = new OwnConnection(
                session.loop().loop(),
                () -> session.loop().services().socketPath().apply(node),
                session.loop().services().account());
        own.execute(List.of("KILL QUERY " + number), ignored -> own.close());
    }

    void close() {
        closed = true;
        if (link != null) {
            link.close();
        }
    }

    private record Idle(SatelliteConnection connection) implements PacketSink {
        @Override
        public void packets(ByteBuf in) {
            in.skipBytes(in.readableBytes());
        }

        @Override
        public void closed() {
            connection.closed = true;
        }
    }
}
