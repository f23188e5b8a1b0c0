package io.multimed.endpoint.mysql.session;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session's reads on connections to Satellites of its own: those of transactions that are READ ONLY, of prepared statements, and all
 * others that cannot share a connection. A connection is made when it is needed, so it has the rights of the account at a time after the
 * session's login.
 */
final class OwnReads {
    private static final String WITHOUT_AUTOCOMMIT = "SET autocommit=0";

    private final MysqlSession session;
    private final LastOnSatellite last;
    private final SessionPlacements placements;
    private final Map<ComputationalNode, SatelliteConnection> connections = new HashMap<>();
    private @Nullable SatelliteConnection executing;
    /** The transaction of the present read; null if it is one of its own. */
    private @Nullable ReadOnlyBlock block;

    OwnReads(MysqlSession session, LastOnSatellite last, SessionPlacements placements) {
        this.session = session;
        this.last = last;
        this.placements = placements;
    }

    /**
     * Begins a read on a node.
     *
     * @param inBlock the transaction of the read; null if it is one of its own
     * @param hash SHA1(password); null for an empty password
     */
    void begin(ComputationalNode node, SatelliteRead read, @Nullable ReadOnlyBlock inBlock, byte @Nullable [] hash) {
        SatelliteConnection connection = connections.get(node);
        if (connection != null && connection.isOpen()) {
            begin(connection, read, inBlock);
            return;
        }
        if (connections.size()
                > session.loop().services().admission().nodes().satellites().size()) {
            throw new IllegalStateException("more connections than Satellites");
        }
        block = inBlock;
        SatelliteConnection opening = new SatelliteConnection(session, node);
        connections.put(node, opening);
        executing = opening;
        opening.open(hash, ready -> prepared(opening, read, ready));
    }

    /** Begins a read on a connection of this session. */
    void begin(SatelliteConnection connection, SatelliteRead read, @Nullable ReadOnlyBlock inBlock) {
        block = inBlock;
        executing = connection;
        connection.prepare(ready -> prepared(connection, read, ready));
    }

    private void prepared(SatelliteConnection connection, SatelliteRead read, boolean ready) {
        if (session.isClosed() || executing != connection) {
            return;
        }
        executing = null;
        if (!ready || !read.canBeSentOn(connection, session.state())) {
            failed(connection);
            return;
        }
        ReadOnlyBlock inBlock = block;
        boolean isBound = inBlock != null && inBlock.hasSnapshot();
        if (!isBound && !session.admission().isCoveredBy(connection.node())) {
            // While the connection was made, the engine may have been replaced.
            session.goOn();
            return;
        }
        if (inBlock != null && read instanceof SatelliteRead.Snapshot snapshot) {
            start("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY", connection, inBlock, () -> {
                executing = null;
                snapshot.whenTaken().run();
            });
            return;
        }
        if (inBlock != null && inBlock.satellite() == null) {
            start("START TRANSACTION READ ONLY", connection, inBlock, () -> prepared(connection, read, true));
            return;
        }
        if (inBlock != null && connection.isAutocommit() && !session.state().isAutocommit()) {
            // The client has set this amid the transaction.
            tell(connection, List.of(WITHOUT_AUTOCOMMIT), () -> {
                connection.autocommit(false);
                prepared(connection, read, true);
            });
            return;
        }
        if (read.keepsWarnings() && connection.isWarned() && last.connection() != connection) {
            // They are those of an older statement than the session's last one.
            tell(connection, List.of(LastReply.NOTHING), () -> {
                connection.warned(false, false);
                prepared(connection, read, true);
            });
            return;
        }
        last.isReadOn(connection, read);
        execute(connection, read, isBound && inBlock != null && inBlock.isBound(), this::answered);
    }

    /** Opens the transaction on a Satellite. */
    private void start(String statement, SatelliteConnection connection, ReadOnlyBlock inBlock, Runnable done) {
        boolean autocommit = session.state().isAutocommit();
        tell(connection, autocommit ? List.of(statement) : List.of(WITHOUT_AUTOCOMMIT, statement), () -> {
            connection.autocommit(autocommit);
            inBlock.openOn(connection);
            done.run();
        });
    }

    /** Executes statements of Multimed's own before the read. If they fail, so does the read there. */
    private void tell(SatelliteConnection connection, List<String> statements, Runnable done) {
        EngineLink link = connection.link();
        if (link == null) {
            failed(connection);
            return;
        }
        executing = connection;
        MysqlOwnStatements.execute(link, connection.capabilities(), statements, answers -> {
            if (session.isClosed()) {
                return;
            }
            connection.idle();
            if (answers == null || answers.stream().anyMatch(answer -> answer.error() != null)) {
                executing = null;
                connection.close();
                failed(connection);
                return;
            }
            done.run();
        });
    }

    /** Ends the transaction on its Satellite, if it is open on one. */
    void endBlock(ReadOnlyBlock ended, Runnable done) {
        SatelliteConnection connection = ended.satellite();
        ended.openOn(null);
        EngineLink link = connection == null ? null : connection.link();
        if (connection == null || link == null || !connection.isOpen()) {
            done.run();
            return;
        }
        List<String> statements =
                connection.isAutocommit() ? List.of("ROLLBACK") : List.of("ROLLBACK", "SET autocommit=1");
        MysqlOwnStatements.execute(link, connection.capabilities(), statements, answers -> {
            connection.idle();
            if (answers == null || answers.stream().anyMatch(answer -> answer.error() != null)) {
                connection.close();
            }
            connection.autocommit(true);
            if (!session.isClosed()) {
                done.run();
            }
        });
    }

    private void answered() {
        ReadOnlyBlock inBlock = block;
        SatelliteConnection own = last.connection();
        if (own != null) {
            placements.answeredBy(own.node(), inBlock == null || !inBlock.hasRead());
        }
        if (inBlock != null) {
            inBlock.read();
        }
        session.answeredInBlock(inBlock);
    }

    private void execute(SatelliteConnection connection, SatelliteRead read, boolean isBound, Runnable whenAnswered) {
        executing = connection;
        new SatelliteExchange(session, connection, read, isBound).begin(answered -> {
            executing = null;
            if (session.isClosed()) {
                return;
            }
            if (answered) {
                whenAnswered.run();
            } else {
                last.clear();
                failed(connection);
            }
        });
    }

    /** Executes a question about the last statement, which this connection has executed. */
    void ask(SatelliteConnection connection, SatelliteRead question) {
        last.isAskedOn(connection);
        execute(connection, question, true, session::ready);
    }

    /** Fetches rows of a cursor that is open on a Satellite. */
    void fetch(MysqlPreparedStatement statement, SatelliteConnection connection, byte[] payload) {
        ask(connection, new SatelliteRead.Fetch(statement, payload));
    }

    /** Has every Satellite close a prepared statement. */
    void forget(MysqlPreparedStatement statement) {
        connections.values().forEach(connection -> connection.forget(statement));
    }

    private void failed(SatelliteConnection connection) {
        if (!connection.isOpen()) {
            connections.remove(connection.node(), connection);
        }
        session.admission().onMaster(Reason.RETRIED);
        session.goOn();
    }

    /** Goes on reading a Satellite's reply, which the client can take again. */
    void readOn() {
        if (executing != null) {
            executing.readOn();
        }
    }

    /** Whether there is a connection to the node, and no command under way on it, or one. */
    boolean isConnected(ComputationalNode node, boolean isBusy) {
        SatelliteConnection connection = connections.get(node);
        return connection != null && connection.isOpen() && (connection == executing) == isBusy;
    }

    /** Ends the read that is under way, as KILL QUERY does. */
    void kill() {
        SatelliteConnection killed = executing;
        if (killed != null) {
            killed.kill();
        }
    }

    void nodeGone(ComputationalNode node) {
        SatelliteConnection gone = connections.remove(node);
        if (gone != null) {
            gone.close();
        }
    }

    /** Closes a connection that the session has not needed for some time. */
    void closeUnused(ComputationalNode node) {
        SatelliteConnection unused = connections.get(node);
        if (unused != null && unused.isUnused(System.nanoTime()) && last.connection() != unused) {
            connections.remove(node);
            unused.close();
        }
    }

    /** Closes all connections. */
    void close() {
        List<SatelliteConnection> all = new ArrayList<>(connections.values());
        connections.clear();
        all.forEach(SatelliteConnection::close);
    }
}
