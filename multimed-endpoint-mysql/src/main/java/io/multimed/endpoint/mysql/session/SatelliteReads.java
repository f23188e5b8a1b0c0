package io.multimed.endpoint.mysql.session;

import io.multimed.core.admission.Admission;
import io.multimed.core.admission.WaitingReaders;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.Floor;
import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.model.Freshness;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.multimed.sql.mysql.MysqlParser;
import io.multimed.sql.mysql.MysqlStatement;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The session's reads on Satellites: their admission, and the session's connections to Satellites.
 *
 * <p>The connections are the session's own and made when they are needed, so each has the rights of the account at a time after the
 * session's login. A read that a Satellite cannot execute, for whatever reason, is executed by the Master.
 */
final class SatelliteReads implements WaitingReaders.Reader {
    private static final String WITHOUT_AUTOCOMMIT = "SET autocommit=0";

    private final MysqlSession session;
    private final Map<ComputationalNode, SatelliteConnection> connections = new HashMap<>();
    private final SessionPlacements placements;
    private final ReadChoices choices;
    private final SharedReads shared;
    private final LastOnSatellite last;
    private boolean possible;
    private byte @Nullable [] hash;
    private boolean waiting;
    /** The transaction of the present read; null if it is one of its own. */
    private @Nullable ReadOnlyBlock block;

    private @Nullable SatelliteConnection executing;
    /** Changes of schemas and accounts before the floor of the present read. */
    private long changes;

    SatelliteReads(MysqlSession session) {
        this.session = session;
        placements = new SessionPlacements(session);
        choices = new ReadChoices(
                session.freshness(), () -> session.loop().options().freshness(), placements);
        shared = new SharedReads(session);
        last = new LastOnSatellite(session);
    }

    /** Returns the session's choices for its reads. */
    ReadChoices choices() {
        return choices;
    }

    /** Returns the record of where the session's transactions run. */
    SessionPlacements placements() {
        return placements;
    }

    /** Takes over the result of a login. */
    void login(boolean isPossible, byte @Nullable [] newHash) {
        forget();
        possible = isPossible;
        hash = newHash;
        choices.reset();
        shared.login(newHash);
    }

    /** Whether Multimed can log in to engines as the session's user. */
    boolean isPasswordKnown() {
        return possible;
    }

    /** Returns SHA1(password); null for an empty password. */
    byte @Nullable [] passwordHash() {
        return hash;
    }

    boolean arePossible() {
        return possible
                && !session.loop().services().admission().nodes().satellites().isEmpty();
    }

    /** Whether Satellites can be told the session's variables, and read its statements as Multimed does. */
    boolean areTold() {
        MysqlVariables variables = session.state().variables();
        return variables.areKnown() && variables.areFollowable() && variables.isTextPlain();
    }

    /**
     * Begins a read, or the wait for it.
     *
     * @param database in which the statement finds its tables
     * @param inBlock the transaction of the read; null if it is one of its own
     * @return false if the Master has to execute it
     */
    boolean begin(SatelliteRead read, MysqlStatement statement, byte[] database, @Nullable ReadOnlyBlock inBlock) {
        Admission admission = session.admission();
        if (admission.masterReason() != null) {
            return false;
        }
        long changesBefore = session.loop().services().schemaChanges().getAsLong();
        long now = System.nanoTime();
        if (admission.arrive(now) == now) {
            changes = changesBefore;
        }
        admission.required();
        block = inBlock;
        MysqlLoop loop = session.loop();
        long patience = loop.options().waits().patience().toNanos();
        // Asked once: the parser and the reader of tables are at work, and the answer may be another one a moment
        // later.
        MysqlParser.Opinion opinion = loop.parser().opinion(statement.shape());
        boolean wereTablesKnown = loop.tables().areKnown(loop.own());
        if (opinion != MysqlParser.Opinion.QUERY
                || !loop.tables().containAll(statement.tables(), database, loop.own())) {
            boolean mayBecomeKnown = opinion == MysqlParser.Opinion.AWAITED
                    || !wereTablesKnown
                    || !loop.tables().areKnown(loop.own());
            if (inBlock != null
                    && inBlock.isBound()
                    && mayBecomeKnown
                    && !admission.hasWaited(now, loop.options().waits().master().toNanos())) {
                // The Master could not execute the read: the transaction would fail.
                later(TimeUnit.MILLISECONDS.toNanos(1), session::goOn);
                return true;
            }
            admission.onMaster(Reason.UNCLASSIFIED);
            return false;
        }
        SatelliteConnection opened = inBlock == null ? null : inBlock.satellite();
        if (inBlock == null || opened == null) {
            return place(read, now, patience);
        }
        if (!opened.isOpen() && !inBlock.hasSnapshot()) {
            inBlock.openOn(null);
            return place(read, now, patience);
        }
        return beginOn(opened, read, inBlock, now, patience);
    }

    /**
     * Whether the statement is known to be a query, and all of its tables to be base tables.
     *
     * @param database in which it finds its tables
     */
    boolean areUnderstood(MysqlStatement statement, byte[] database) {
        MysqlLoop loop = session.loop();
        return loop.parser().opinion(statement.shape()) == MysqlParser.Opinion.QUERY
                && loop.tables().containAll(statement.tables(), database, loop.own());
    }

    /**
     * Has a Satellite take the snapshot of a transaction that is about to start.
     *
     * @return false if the Master has to execute its reads
     */
    boolean takeSnapshot(ReadOnlyBlock started) {
        Admission admission = session.admission();
        if (admission.masterReason() != null) {
            return false;
        }
        long now = System.nanoTime();
        admission.arrive(now);
        block = started;
        return place(
                new SatelliteRead.Snapshot(session::goOn),
                now,
                session.loop().options().waits().patience().toNanos());
    }

    /** Begins a read in a transaction that is open on a Satellite. */
    private boolean beginOn(
            SatelliteConnection connection, SatelliteRead read, ReadOnlyBlock inBlock, long now, long patience) {
        Admission admission = session.admission();
        if (!inBlock.hasSnapshot() && connection.isOpen() && !admission.isCoveredBy(connection.node())) {
            if (admission.hasWaited(now, patience)) {
                admission.awaitedInVain(connection.node());
                return false;
            }
            waiting = true;
            if (!session.loop().readers().await(this)) {
                later(
                        patience - (now - admission.arrive(now)),
                        () -> session.loop().readers().lookAt(this));
                return true;
            }
            waiting = false;
        }
        executing = connection;
        connection.prepare(ready -> prepared(connection, read, ready));
        return true;
    }

    private boolean place(SatelliteRead read, long arrived, long patience) {
        Admission admission = session.admission();
        MysqlLoop loop = session.loop();
        long now = arrived;
        while (true) {
            Placement placement = admission.placeRead(now, patience);
            switch (placement) {
                case Placement.OnMaster ignored -> {
                    return false;
                }
                case Placement.OnSatellite placed -> {
                    executeOn(placed.node(), read);
                    return true;
                }
                case Placement.AwaitFreshness ignored -> {
                    waiting = true;
                    if (!loop.readers().await(this)) {
                        later(
                                patience - (now - admission.arrive(now)),
                                () -> loop.readers().lookAt(this));
                        return true;
                    }
                    waiting = false;
                    now = System.nanoTime();
                }
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The action finds out itself whether it is still needed.
    private void later(long nanos, Runnable action) {
        session.loop().loop().schedule(action, Math.max(1, nanos + 1), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isOver() {
        SatelliteConnection bound = block == null ? null : block.satellite();
        return waiting
                && (session.admission().isFreshNow(bound == null ? null : bound.node())
                        || session.admission()
                                .hasWaited(
                                        System.nanoTime(),
                                        session.loop()
                                                .options()
                                                .waits()
                                                .patience()
                                                .toNanos()));
    }

    @Override
    public void goOn() {
        waiting = false;
        placements.waitedForFreshness();
        session.goOn();
    }

    private void executeOn(ComputationalNode node, SatelliteRead read) {
        if (block == null && read instanceof SatelliteRead.Text text && executeShared(node, text)) {
            return;
        }
        SatelliteConnection connection = connections.get(node);
        if (connection == null || !connection.isOpen()) {
            if (connections.size()
                    > session.loop().services().admission().nodes().satellites().size()) {
                throw new IllegalStateException("more connections than Satellites");
            }
            SatelliteConnection opening = new SatelliteConnection(session, node);
            connections.put(node, opening);
            executing = opening;
            opening.open(hash, ready -> prepared(opening, read, ready));
            return;
        }
        executing = connection;
        connection.prepare(ready -> prepared(connection, read, ready));
    }

    /** Returns the changes of schemas and accounts that a node has certainly applied, of those before the present read. */
    private long changesCoveredBy(ComputationalNode node) {
        if (session.freshness().chosen() instanceof Freshness.Strong) {
            return changes;
        }
        long before = session.loop().services().schemaChanges().getAsLong();
        long floor = session.loop().services().admission().floor().floor();
        return floor != Floor.UNKNOWN && node.applied() >= floor ? before : -1;
    }

    /** Begins a read on a connection that others use too. @return false if the session needs one of its own */
    private boolean executeShared(ComputationalNode node, SatelliteRead.Text read) {
        SatelliteConnection own = connections.get(node);
        if (own != null && own.isUnused(System.nanoTime()) && last.connection() != own) {
            connections.remove(node);
            own.close();
        }
        return shared.begin(node, read, changesCoveredBy(node), (exchange, outcome) -> {
            last.clear();
            switch (outcome) {
                case ANSWERED -> {
                    placements.answeredBy(node, true);
                    last.wasShared(read, exchange);
                    session.ready();
                }
                case FAILED -> {
                    session.admission().onMaster(Reason.RETRIED);
                    session.goOn();
                }
                case TAKEN_BACK -> session.goOn();
            }
        });
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

    /** Fetches rows of a cursor that is open on a Satellite. */
    void fetch(MysqlPreparedStatement statement, SatelliteConnection connection, byte[] payload) {
        last.isAskedOn(connection);
        execute(connection, new SatelliteRead.Fetch(statement, payload), true, session::ready);
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

    LastOnSatellite last() {
        return last;
    }

    /** Executes a question about the last statement, or a ping, where that was executed. */
    void askLast(ByteBuf packet) {
        SatelliteConnection connection = last.connection();
        if (connection != null && connection.isOpen()) {
            last.isAskedOn(connection);
            execute(connection, SatelliteRead.Text.of(packet, ""), true, session::ready);
        } else if (last.isOnSharedConnection()) {
            boolean isPing = packet.getUnsignedByte(Packets.HEADER) == MysqlCommand.PING;
            if (!isPing || !shared.ping(this::pinged)) {
                last.bringToMaster(session.master(), session::goOn);
            }
        } else {
            last.clear();
            session.goOn();
        }
    }

    private void pinged(SharedExchange ignored, SharedExchange.Outcome outcome) {
        if (outcome == SharedExchange.Outcome.ANSWERED) {
            last.changesNothing();
            session.ready();
        } else {
            last.bringToMaster(session.master(), session::goOn);
        }
    }

    /**
     * Lets the Satellite of the last statement forget how many rows that has changed, and its warnings, as the client's next command does on
     * the Master.
     */
    void clearLast(Runnable done) {
        SatelliteConnection connection = last.connection();
        EngineLink link = connection == null ? null : connection.link();
        if (last.isOnSharedConnection()) {
            last.changesNothing();
            done.run();
            return;
        }
        if (connection == null || link == null || !connection.isOpen()) {
            last.clear();
            done.run();
            return;
        }
        byte[] ping = {MysqlCommand.PING};
        MysqlOwnStatements.repeat(link, connection.capabilities(), List.of(ping), answers -> {
            connection.idle();
            if (answers == null) {
                last.clear();
            }
            done.run();
        });
    }

    /** Goes on reading a Satellite's reply, which the client can take again. */
    void readOn() {
        if (executing != null) {
            executing.readOn();
        }
        shared.readOn();
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
        shared.kill();
    }

    void nodeGone(ComputationalNode node) {
        SatelliteConnection gone = connections.remove(node);
        if (gone != null) {
            gone.close();
        }
    }

    /** Closes all connections: the session's account or state is another. */
    void forget() {
        List<SatelliteConnection> all = new ArrayList<>(connections.values());
        connections.clear();
        last.clear();
        all.forEach(SatelliteConnection::close);
    }

    void close() {
        if (executing != null) {
            executing.kill();
        }
        shared.close();
        if (waiting) {
            waiting = false;
            session.loop().readers().leave(this);
        }
        forget();
    }
}
