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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The session's reads on Satellites: their admission, and the choice between connections that it shares with other sessions and those of its
 * own. A read that a Satellite cannot execute, for whatever reason, is executed by the Master.
 */
final class SatelliteReads implements WaitingReaders.Reader {
    private final MysqlSession session;
    private final SessionPlacements placements;
    private final ReadChoices choices;
    private final SharedReads shared;
    private final LastOnSatellite last;
    private final OwnReads own;
    private boolean possible;
    private byte @Nullable [] hash;
    private boolean waiting;
    /** The transaction of the present read; null if it is one of its own. */
    private @Nullable ReadOnlyBlock block;

    /** Changes of schemas and accounts before the floor of the present read. */
    private long changes;

    SatelliteReads(MysqlSession session) {
        this.session = session;
        placements = new SessionPlacements(session);
        choices = new ReadChoices(
                session.freshness(), () -> session.loop().options().freshness(), placements);
        shared = new SharedReads(session);
        last = new LastOnSatellite(session);
        own = new OwnReads(session, last, placements);
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
        long changesBefore = session.loop().services().coveredChanges().getAsLong();
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
        own.begin(connection, read, inBlock);
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
        if (block == null && isSharable(read) && executeShared(node, read)) {
            return;
        }
        own.begin(node, read, block, hash);
    }

    private boolean isSharable(SatelliteRead read) {
        return read instanceof SatelliteRead.Text
                || (read instanceof SatelliteRead.Execution execution && execution.isSharable(session.state()));
    }

    /** Returns the changes of schemas and accounts that a node has certainly applied, of those before the present read. */
    private long changesCoveredBy(ComputationalNode node) {
        if (session.freshness().chosen() instanceof Freshness.Strong) {
            return changes;
        }
        long before = session.loop().services().coveredChanges().getAsLong();
        long floor = session.loop().services().admission().floor().floor();
        return floor != Floor.UNKNOWN && node.applied() >= floor ? before : -1;
    }

    /** Begins a read on a connection that others use too. @return false if the session needs one of its own */
    private boolean executeShared(ComputationalNode node, SatelliteRead read) {
        own.closeUnused(node);
        return shared.begin(node, read, changesCoveredBy(node), (exchange, outcome) -> {
            last.clear();
            switch (outcome) {
                case ANSWERED -> {
                    placements.answeredBy(node, true);
                    last.wasShared(read, exchange);
                    if (read instanceof SatelliteRead.Execution execution) {
                        execution.statement().leaveCursor(null);
                    }
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

    LastOnSatellite last() {
        return last;
    }

    /** Executes a question about the last statement, or a ping, where that was executed. */
    void askLast(ByteBuf packet) {
        SatelliteConnection connection = last.connection();
        if (connection != null && connection.isOpen()) {
            own.ask(connection, SatelliteRead.Text.of(packet, ""));
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

    /** Returns the reads on the session's own connections. */
    OwnReads own() {
        return own;
    }

    /** Goes on reading a Satellite's reply, which the client can take again. */
    void readOn() {
        own.readOn();
        shared.readOn();
    }

    /** Ends the read that is under way, as KILL QUERY does. */
    void kill() {
        own.kill();
        shared.kill();
    }

    /** Closes all connections of its own: the session's account or state is another. */
    void forget() {
        last.clear();
        own.close();
    }

    void close() {
        own.kill();
        shared.close();
        if (waiting) {
            waiting = false;
            session.loop().readers().leave(this);
        }
        forget();
    }
}
