package io.multimed.endpoint.mysql.session;

import io.multimed.core.admission.Admission;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ServerStatus;
import io.multimed.sql.mysql.MysqlStatement;
import io.multimed.sql.mysql.MysqlStatements;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client's commands, one after the other: each is examined, waits for what it needs, and is executed by an engine.
 *
 * <p>The first packet of a command is kept until an engine has answered. So the command can go to the Master after a Satellite has failed.
 *
 * <p>It has more fields and lines than other classes, since each command of the client passes through all of its steps here,
 * which share the state of that command.
 */
final class SessionCommands implements ClientReader {
    /** The Master is pinged when it has heard nothing of a transaction for so long: there are timeouts for these, of a second at least. */
    private static final long LONGEST_SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final MysqlSession session;
    private final SatelliteReads satellites;
    private final MasterExchange onMaster;
    private final PreparedStatements statements;
    private final ReadOnlyBlocks blocks;
    private final KillCommands kills;
    private final OwnRequests own;

    private @Nullable ByteBuf packet;
    private int command;
    private MysqlStatement statement = MysqlStatement.UNKNOWN;
    private boolean isOnMaster;
    /** Whether the Master has to execute the present command, whatever it is. */
    private boolean staysOnMaster;

    private QueryTraits query = QueryTraits.NONE;
    /** Whether the Master has to execute the next statement, because the present one sets what applies to one transaction. */
    private boolean nextOnMaster;
    /** Whether that is nothing but READ ONLY. */
    private boolean nextIsReadOnly;
    /** Time of the last command to the Master. It would end a connection on which it hears nothing for wait_timeout. */
    private long masterAskedNanos = System.nanoTime();

    SessionCommands(MysqlSession session, SatelliteReads satellites) {
        this.session = session;
        this.satellites = satellites;
        onMaster = new MasterExchange(session);
        statements = new PreparedStatements(session, satellites, this::goOn);
        blocks = new ReadOnlyBlocks(session, satellites, this::goOn);
        kills = new KillCommands(session);
        own = new OwnRequests(session, satellites.choices());
    }

    PreparedStatements statements() {
        return statements;
    }

    /** Prepares for the next command. */
    void idle() {
        kills.idle(onMaster);
        statements.ended(command, isOnMaster);
        // More packets of a command that Multimed has answered follow.
        boolean isUnread = packet != null && !isOnMaster && Packets.length(packet, 0) == Packets.MAX_LENGTH;
        if (isOnMaster) {
            isOnMaster = false;
            satellites.placements().masterReplied(command);
            statements.masterReplied(command, statement, onMaster);
            if (command == MysqlCommand.QUERY
                    && blocks.masterReplied(statement.boundary(), onMaster, nextOnMaster && !nextIsReadOnly)) {
                nextOnMaster = false;
            }
            if ((command == MysqlCommand.QUERY || command == MysqlCommand.STMT_EXECUTE)
                    && statement.boundary() == MysqlStatement.Boundary.NONE
                    && !statement.isRead()
                    && !statement.readsNoRows()) {
                blocks.mayBeAnother();
            }
        } else if (satellites.last().exists()
                && statement.isRead()
                && !statement.tables().isEmpty()) {
            // Its warnings have replaced those that the Master still has.
            session.state().usesTables();
        }
        if (packet != null) {
            ReferenceCountUtil.release(packet);
            packet = null;
        }
        if (statement.choosesTracking() && command != MysqlCommand.STMT_PREPARE) {
            session.state().choseTracking(statement.isExplained());
            statement = MysqlStatement.UNKNOWN;
        }
        session.admission().reset();
        if (isUnread) {
            session.finish();
        }
    }

    @Override
    public void clientPackets(ByteBuf in) throws MysqlProtocolException {
        if (packet != null || blocks.isEnding() || session.hold().isMoving() || !PacketInput.hasPacket(in)) {
            return;
        }
        int length = Packets.length(in, in.readerIndex());
        ByteBuf first = in.readRetainedSlice(Packets.HEADER + length);
        packet = first;
        session.hold().busy();
        command = length == 0 ? MysqlCommand.SLEEP : first.getUnsignedByte(Packets.HEADER);
        statement = MysqlStatement.UNKNOWN;
        statements.next();
        blocks.next();
        query = QueryTraits.NONE;
        staysOnMaster = false;
        kills.next();
        if (command == MysqlCommand.STMT_PREPARE) {
            statements.registry().preparationBegins();
            own.preparationBegins();
        }
        if (command == MysqlCommand.QUIT && session.isWithoutMaster()) {
            session.finish();
        } else if (session.isWithoutMaster() && !CommandTraits.canBeginAnywhere(command)) {
            needMaster(() -> begin(first, length));
        } else {
            begin(first, length);
        }
    }

    private void begin(ByteBuf first, int length) throws MysqlProtocolException {
        if (own.take(command, first, length)) {
            return;
        }
        switch (command) {
            case MysqlCommand.QUIT -> {
                session.master().writeAndFlush(first.retain());
                session.finish();
            }
            case MysqlCommand.CHANGE_USER, MysqlCommand.RESET_CONNECTION -> {
                satellites.placements().close();
                satellites.forget();
                statements.registry().clear();
                own.clear();
                blocks.clear();
                LoginRelay login = new LoginRelay(session, session.master());
                session.reader(login);
                login.beginAgain(first, command == MysqlCommand.CHANGE_USER);
            }
            case MysqlCommand.BINLOG_DUMP, MysqlCommand.BINLOG_DUMP_GTID, MysqlCommand.TABLE_DUMP -> {
                RawRelay relay = new RawRelay(session, session.master());
                session.reader(relay);
                relay.begin(first);
            }
            case MysqlCommand.PROCESS_KILL -> {
                kills.command(first, length);
                goOn();
            }
            case MysqlCommand.STMT_PREPARE -> prepare(first, length, true);
            case MysqlCommand.QUERY -> {
                examine(first, length);
                goOn();
            }
            case MysqlCommand.STMT_EXECUTE,
                    MysqlCommand.STMT_BULK_EXECUTE,
                    MysqlCommand.STMT_SEND_LONG_DATA,
                    MysqlCommand.STMT_FETCH,
                    MysqlCommand.STMT_RESET,
                    MysqlCommand.STMT_CLOSE -> {
                statement = statements.find(command, first, length);
                if (statement.kills()) {
                    kills.prepared();
                }
                statements.begin(command, first, length);
            }
            default -> goOn();
        }
    }

    private void prepare(ByteBuf first, int length, boolean asksAgain) {
        PreparedCounts counts = session.loop().preparedCounts();
        if (statements.registry().begin(first)) {
            examine(first, length);
            goOn();
        } else if (asksAgain) {
            session.loop().own().execute(List.of("SELECT @@max_prepared_stmt_count"), answers -> {
                List<@Nullable String> row =
                        answers == null ? null : answers.get(0).onlyRow();
                if (row != null) {
                    counts.most(Long.parseLong(String.valueOf(row.get(0))));
                }
                if (!session.isClosed()) {
                    prepare(first, length, false);
                }
            });
        } else {
            refuse(MysqlErrors.tooManyStatements(counts.most()));
        }
    }

    /** An action that needs a connection to the Master. */
    private interface OnMaster {
        void run() throws MysqlProtocolException;
    }

    /** Does something with a connection to the Master, which the session has given up. */
    private void needMaster(OnMaster action) {
        session.hold().need(succeeded -> {
            if (session.isClosed()) {
                return;
            }
            masterAskedNanos = System.nanoTime();
            if (!succeeded) {
                refuse(MysqlErrors.TOO_MANY_CLIENTS);
                return;
            }
            try {
                action.run();
            } catch (MysqlProtocolException violation) {
                session.refuse();
            }
        });
    }

    /** Answers the present command with an error. */
    private void refuse(ErrMessage error) {
        ByteBuf out = session.client().alloc().buffer();
        MysqlErrors.write(out, 1, error);
        session.client().write(out);
        session.client().flush();
        if (CommandTraits.isUnanswered(command)) {
            // The client does not expect it as the reply to this command.
            session.finish();
        } else {
            session.ready();
        }
    }

    /** Returns the time of the last command to the Master. */
    long masterAskedNanos() {
        return masterAskedNanos;
    }

    /** Whether no command is under way, nor anything begun that only the present connection to the Master knows. */
    boolean canLeaveMaster() {
        return isIdle() && !blocks.isEnding() && blocks.present() == null && !nextOnMaster;
    }

    boolean isIdle() {
        return packet == null;
    }

    private void examine(ByteBuf first, int length) {
        boolean whole = length < Packets.MAX_LENGTH;
        int status = session.state().status();
        String text = first.toString(Packets.HEADER + 1, length - 1, StandardCharsets.ISO_8859_1);
        boolean ansiQuotes = ServerStatus.has(status, ServerStatus.ANSI_QUOTES);
        boolean noBackslash = ServerStatus.has(status, ServerStatus.NO_BACKSLASH_ESCAPES);
        if (command == MysqlCommand.STMT_PREPARE) {
            statement = MysqlStatements.examinePrepared(text, ansiQuotes, noBackslash);
        } else {
            statement = MysqlStatements.examine(text, ansiQuotes, noBackslash);
            query = QueryTraits.of(text, statement);
        }
        if (!whole || (command == MysqlCommand.STMT_PREPARE && statement.concernsLastStatement())) {
            session.state().pin("the session's statements are not known");
        }
        session.state().statement(text);
        if (statement.pins() && !CommandTraits.isNoStatement(command, text)) {
            session.state().pin("the session may hold locks or the like");
        }
        if (statement.kills()) {
            kills.statement(text, command == MysqlCommand.QUERY);
        }
    }

    /** Goes on with the present command after a wait. */
    void goOn() {
        ByteBuf present = packet;
        if (present == null || session.isClosed()) {
            return;
        }
        if (session.isWithoutMaster() && !canStayWithoutMaster(present)) {
            needMaster(this::goOn);
            return;
        }
        if (session.state().isUntold()) {
            SessionSetup.hearAll(session, session.master(), this::goOn);
            return;
        }
        if (satellites.last().exists() && command == MysqlCommand.PING) {
            if (isMasterSilent()) {
                wakeMaster();
                return;
            }
            // ROW_COUNT() tells whether a ping came after the last statement.
            satellites.askLast(present);
            return;
        }
        if (satellites.last().exists() && statement.concernsLastStatement()) {
            if (command == MysqlCommand.QUERY
                    && (query.asksForWarnings()
                            ? satellites.last().hasWarnings()
                            : statement.isRead() && statement.tables().isEmpty())) {
                satellites.askLast(present);
                return;
            }
            if (!query.asksForWarnings() || satellites.last().hasWarnings()) {
                satellites.last().bringToMaster(session.master(), this::goOn);
                return;
            }
        }
        ReadOnlyBlock block = blocks.present();
        if (command == MysqlCommand.QUERY && isStart() && !staysOnMaster) {
            ReadOnlyBlocks.Start start = blocks.start(statement.boundary(), query.declaresReadOnly(), nextOnMaster);
            if (start == ReadOnlyBlocks.Start.SETTLE) {
                settle();
                return;
            }
            if (start == ReadOnlyBlocks.Start.WAITS) {
                return;
            }
        }
        if (mayBeRead(present, block)) {
            if (!session.state().isSettled()) {
                settle();
                return;
            }
            if (block == null && !session.state().isAutocommit()) {
                masterAskedNanos = System.nanoTime();
                blocks.startUnseen();
                return;
            }
            if (block != null) {
                blocks.decide(block);
            }
            if (isMasterSilent()) {
                wakeMaster();
                return;
            }
            if (satellites.areTold()
                    && (block == null || !block.isOnMaster())
                    && (statements.leaveMastersCursor() || begin(present, block))) {
                return;
            }
        }
        if (blocks.mayGoToMaster(readsNoRows())) {
            executeOnMaster(present);
        }
    }

    /** Whether a Satellite may execute the command without a word of the Master. */
    private boolean canStayWithoutMaster(ByteBuf present) {
        SessionState state = session.state();
        return !state.isUntold()
                && state.isSettled()
                && state.isAutocommit()
                && blocks.present() == null
                && mayBeRead(present, null)
                && satellites.areTold();
    }

    private boolean isStart() {
        return statement.boundary() == MysqlStatement.Boundary.STARTS
                || statement.boundary() == MysqlStatement.Boundary.STARTS_WITH_SNAPSHOT;
    }

    private boolean startsReadOnly() {
        MysqlVariables variables = session.state().variables();
        return isStart() && (query.declaresReadOnly() || (variables.areKnown() && variables.areTransactionsReadOnly()));
    }

    /** Whether the Master can execute the command whatever snapshot it has. */
    private boolean readsNoRows() {
        return (command != MysqlCommand.QUERY && command != MysqlCommand.STMT_EXECUTE) || statement.readsNoRows();
    }

    private boolean isMasterSilent() {
        long longest = blocks.present() == null ? session.state().longestSilenceNanos() : LONGEST_SILENCE_NANOS;
        return !session.isWithoutMaster() && System.nanoTime() - masterAskedNanos >= longest;
    }

    private void wakeMaster() {
        byte[] ping = {MysqlCommand.PING};
        MysqlOwnStatements.repeat(session.master(), session.masterCapabilities(), List.of(ping), answers -> {
            if (answers == null) {
                session.closed();
            } else {
                masterAskedNanos = System.nanoTime();
                goOn();
            }
        });
    }

    /** Goes on after a Satellite's reply to a read in a transaction that is READ ONLY. */
    void answeredInBlock(ReadOnlyBlock block) {
        blocks.satelliteReplied(block);
    }

    private boolean begin(ByteBuf present, @Nullable ReadOnlyBlock block) {
        SatelliteRead execution = statements.execution();
        return execution == null
                ? satellites.begin(
                        SatelliteRead.Text.of(present, statement.tables().isEmpty() ? "" : statement.shape()),
                        statement,
                        session.state().database(),
                        block)
                : satellites.begin(execution, statement, statements.database(), block);
    }

    private boolean mayBeRead(ByteBuf present, @Nullable ReadOnlyBlock block) {
        return (command == MysqlCommand.QUERY || statements.execution() != null)
                && statement.isRead()
                && !statement.concernsLastStatement()
                && Packets.sequence(present, 0) == 0
                && session.state().pinned() == null
                && !staysOnMaster
                // A query without tables keeps the Master's warnings.
                && (block != null
                        || !session.state().isWarned()
                        || !statement.tables().isEmpty())
                && satellites.arePossible()
                && (block != null ? !block.isOnMaster() : !nextOnMaster && mayReadOutsideOfBlocks());
    }

    private boolean mayReadOutsideOfBlocks() {
        if (satellites.choices().areOnMaster()) {
            return false;
        }
        SessionState state = session.state();
        if (!state.isSettled()) {
            return true;
        }
        return state.isAutocommit()
                ? !state.isInTransaction()
                : blocks.canStartUnseen(
                        statement, statements.execution() == null ? state.database() : statements.database());
    }

    /** Asks the Master for the session's variables, and whether it is in a transaction. */
    private void settle() {
        BaseTables tables = session.loop().tables();
        if (session.state().isDoubted()
                && !tables.areRoutinesHarmless(session.loop().own())) {
            if (tables.areKnown(session.loop().own())) {
                session.state().pin("a statement that failed may have made temporary tables");
            } else {
                // It is not known now whether there are such routines.
                staysOnMaster = true;
                blocks.next();
            }
            goOn();
            return;
        }
        MysqlOwnStatements.execute(
                session.master(),
                session.masterCapabilities(),
                List.of("SELECT " + session.state().variables().expressions()),
                answers -> {
                    if (answers == null) {
                        session.closed();
                        return;
                    }
                    MysqlOwnStatements.Answer answer = answers.get(0);
                    List<@Nullable String> row = answer.onlyRow();
                    if (row == null) {
                        session.state().pin("the Master does not tell the session's variables");
                    } else {
                        session.state().variables().take(row);
                        session.state().status(answer.status());
                    }
                    session.state().settle();
                    goOn();
                });
    }

    private void executeOnMaster(ByteBuf present) {
        if (session.isWithoutMaster()) {
            needMaster(this::goOn);
            return;
        }
        if (kills.needsNumber()) {
            kills.askNumber(number -> {
                if (!session.isClosed() && packet != null) {
                    packet = KillCommands.renumbered(packet, command == MysqlCommand.QUERY, number);
                    goOn();
                }
            });
            return;
        }
        long patience = session.loop().options().waits().master().toNanos();
        long now = System.nanoTime();
        session.admission().arrive(now);
        Admission.Turn turn = CommandTraits.dependsOnCommits(command, statement)
                ? session.admission().turnOnMaster(now, patience)
                : Admission.Turn.BEGINS;
        switch (turn) {
            case BEGINS -> {
                if (CommandTraits.isAboutStatement(command)) {
                    session.state().statement(statements.sql(command));
                }
                if (statements.prepareBefore(leavesSession())) {
                    return;
                }
                ByteBuf sent = statements.toMaster(command, present);
                if (sent == null) {
                    return;
                }
                packet = sent;
                // What applies to one transaction is used up by a statement that reads a table, at the latest.
                if (command != MysqlCommand.STMT_PREPARE && statement.setsNextTransaction()) {
                    nextIsReadOnly = query.setsReadOnly() && (!nextOnMaster || nextIsReadOnly);
                    nextOnMaster = true;
                } else if (command != MysqlCommand.STMT_PREPARE
                        && statement.isRead()
                        && !statement.tables().isEmpty()) {
                    nextOnMaster = false;
                }
                masterAskedNanos = now;
                satellites
                        .placements()
                        .beginsOnMaster(
                                command, statement, startsReadOnly(), nextOnMaster, blocks.present(), satellites);
                if (!CommandTraits.isNoStatement(command, session.state().text())) {
                    if (!CommandTraits.leavesNothing(command, statement)) {
                        session.state().hold();
                    }
                    if (command == MysqlCommand.QUERY
                            || (CommandTraits.executes(command) && !statement.leavesNothing())) {
                        session.state().executes();
                    }
                }
                if (CommandTraits.usesTables(command, statement, session.state().text())) {
                    session.state().usesTables();
                }
                satellites.last().masterAnswers(command);
                session.reader(onMaster);
                isOnMaster = true;
                onMaster.begin(
                        command,
                        sent,
                        statement.isExplained()
                                || command == MysqlCommand.INIT_DB
                                || statement.isRead()
                                || (blocks.present() != null && statement.readsNoRows()),
                        statements.switchDatabase() && session.state().isSchemaTold(),
                        statements.reply());
            }
            case AWAITS_SNAPSHOT -> {
                satellites.placements().awaitsVisibility();
                if (session.admission().snapshotTaken()) {
                    later(() -> session.loop().probe().take(this::goOn));
                } else {
                    session.loop().probe().take(this::goOn);
                }
            }
            case GIVES_UP -> {
                refuse(MysqlErrors.NOT_VISIBLE);
            }
        }
    }

    /** Whether statements can still be prepared on the connection to the Master, or on another one, after the present command. */
    private boolean leavesSession() {
        SessionState state = session.state();
        if (CommandTraits.isNoStatement(command, state.text())) {
            return true;
        }
        return CommandTraits.leavesNothing(command, statement)
                && !(command == MysqlCommand.QUERY && state.mayChangeSettings())
                && command != MysqlCommand.INIT_DB;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The action finds out itself whether it is still needed.
    private void later(Runnable action) {
        session.loop().loop().schedule(action, 1, TimeUnit.MILLISECONDS);
    }

    boolean isBusy() {
        return packet != null && !onMaster.isSending();
    }

    void close() {
        idle();
        statements.registry().clear();
        satellites.placements().close();
    }
}
