package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.EngineLogin;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session's connection to the Master. It is given up when others need one and the session is idle, and made again, with everything that
 * the session had there, when it needs one again.
 *
 * <p>It has more lines than other classes, since giving the connection up and making it again are two halves of one thing: what
 * one asks, the other sets.
 */
final class MasterHold {
    private static final Logger LOG = LoggerFactory.getLogger(MasterHold.class);
    /** Number of values that are asked for besides the variables when a connection is given up. */
    private static final int ASKED = 4;
    /** Longest time in which logins are tried again that the engine has ended without a word. */
    private static final long LONGEST_MAKING_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long PAUSE_MILLIS = 50;
    /** Shortest time for which a session keeps a connection that it uses all the time. */
    private static final long SHORTEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final MysqlSession session;
    private final List<Consumer<Boolean>> needing = new ArrayList<>();
    private @Nullable EngineLink link;
    /** The Master's number of the connection; 0 for none. Read by other loops. */
    private volatile long number;

    private boolean taken;
    private boolean moving;
    private long makingSince = System.nanoTime() - SHORTEST_TURN_NANOS;
    private boolean moved;
    /** State of the connection that was given up, besides that which {@link SessionState} keeps. */
    private String lastInsertId = "0";

    private String role = "";
    private LastReply last = LastReply.NONE;

    MasterHold(MysqlSession session) {
        this.session = session;
    }

    /** @param done receives whether a first connection may be made */
    void acquire(Consumer<Boolean> done) {
        links().acquire(this, granted -> {
            taken = granted;
            if (session.isClosed()) {
                release();
            } else {
                done.accept(granted);
            }
        });
    }

    private MasterLinks links() {
        return session.loop().masterLinks();
    }

    private void release() {
        if (taken) {
            taken = false;
            links().released();
        }
    }

    /** Returns the connection; null if there is none. */
    @Nullable
    EngineLink link() {
        return link;
    }

    void link(EngineLink opened) {
        link = opened;
    }

    long number() {
        return number;
    }

    void number(long present) {
        number = present;
        session.loop().numbers().add(present, session);
    }

    /** Whether the connection is being given up or made again. The session's next command waits for that. */
    boolean isMoving() {
        return moving;
    }

    /** Whether the connection is another one than that on which the client has logged in. */
    boolean hasMoved() {
        return moved;
    }

    void idle() {
        if (link != null && !session.isClosed()) {
            links().idle(this);
        }
    }

    void busy() {
        links().busy(this);
    }

    /** Whether the session has nothing on the connection that another one cannot be told, and has made use of it for some time. */
    boolean canBeGivenUp() {
        EngineLink present = link;
        return !moving
                && !isJustMade()
                && present != null
                && present.isOpen()
                && session.canLeaveMaster()
                && session.loop().tables().doRoutinesLeaveNothing(session.loop().own());
    }

    /**
     * Whether the connection was made a moment ago, and is being used. A login costs as much as many statements, so that sessions that
     * all need the Master take turns that are longer than one statement.
     */
    private boolean isJustMade() {
        long now = System.nanoTime();
        return now - makingSince < SHORTEST_TURN_NANOS && now - session.masterAskedNanos() < LONGEST_PAUSE_NANOS;
    }

    /** Gives up the connection, unless the Master's answer shows that this cannot be. */
    void giveUp(Runnable done) {
        EngineLink present = session.master();
        moving = true;
        MysqlOwnStatements.execute(
                present,
                session.masterCapabilities(),
                // The first of these is asked for first: a query leaves traces itself.
                List.of("SELECT " + LastReply.EXPRESSIONS + ", LAST_INSERT_ID(), IFNULL(CURRENT_ROLE(), ''), "
                        + session.state().variables().expressions() + " LIMIT 1"),
                answers -> {
                    if (answers == null || session.isClosed()) {
                        moving = false;
                        session.closed();
                        done.run();
                        return;
                    }
                    SessionState state = session.state();
                    List<@Nullable String> row = answers.get(0).onlyRow();
                    state.status(answers.get(0).status());
                    PreparedStatements statements = session.statements();
                    if (row != null) {
                        take(row);
                        if (statements != null) {
                            statements.registry().learn();
                        }
                    }
                    if (row != null
                            && state.canMove()
                            && state.variables().areFollowable()
                            && isPlain(role)
                            && session.areStatementsMovable()) {
                        if (statements != null) {
                            statements.registry().masterLeft();
                        }
                        close(present);
                        links().released();
                        givenUp(done);
                    } else {
                        state.hold();
                        repeatLast(present, () -> givenUp(done));
                    }
                });
    }

    private void take(List<@Nullable String> row) {
        long rows = number(row.get(0));
        long changed = number(row.get(1));
        // More were changed before a Satellite's last read, if at all. Nobody can ask for that any more.
        last = new LastReply(rows, Math.min(changed, LastReply.MOST_CHANGED));
        lastInsertId = String.valueOf(row.get(2));
        role = String.valueOf(row.get(ASKED - 1));
        session.state().variables().take(row.subList(ASKED, row.size()));
        session.state().settle();
    }

    private static long number(@Nullable String text) {
        return text == null ? 0 : Long.parseLong(text);
    }

    private static boolean isPlain(String name) {
        return name.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    }

    /** Has the connection show the traces of the last statement, which the question for them has replaced. */
    private void repeatLast(EngineLink present, Runnable done) {
        MysqlOwnStatements.execute(present, session.masterCapabilities(), last.again(), answers -> {
            if (answers == null || session.isClosed()) {
                session.closed();
            } else {
                session.idleOnMaster();
            }
            done.run();
        });
    }

    private void givenUp(Runnable done) {
        moving = false;
        done.run();
        if (session.isClosed()) {
            return;
        }
        if (needing.isEmpty()) {
            session.client().readOnAgain();
        } else {
            // The number of the connection was asked for meanwhile.
            make();
        }
    }

    private void close(EngineLink present) {
        session.loop().numbers().remove(number, session);
        session.loop().numbers().add(session.number(), session);
        number = 0;
        link = null;
        taken = false;
        present.sink(new Nothing());
        present.onWritable(ignored -> {});
        ByteBuf quit = present.alloc().buffer();
        int begun = Packets.begin(quit, 0);
        quit.writeByte(MysqlCommand.QUIT);
        Packets.end(quit, begun);
        present.writeAndFlush(quit);
        present.close();
    }

    /** @param done receives whether the session has a connection to the Master; if not, others have all of them */
    void need(Consumer<Boolean> done) {
        if (link != null && !moving) {
            done.accept(true);
            return;
        }
        needing.add(done);
        if (!moving) {
            make();
        }
    }

    private void make() {
        if (link != null) {
            end(true);
            return;
        }
        moving = true;
        acquire(granted -> {
            if (granted) {
                makingSince = System.nanoTime();
                open();
            } else {
                end(false);
            }
        });
    }

    private void end(boolean succeeded) {
        moving = false;
        List<Consumer<Boolean>> served = List.copyOf(needing);
        needing.clear();
        served.forEach(waiter -> waiter.accept(succeeded));
    }

    private void open() {
        HandshakeResponse response = session.response();
        if (response == null) {
            lost("no login");
            return;
        }
        HandshakeResponse template =
                response.withoutPassword((session.masterCapabilities() & ~Capability.CONNECT_WITH_DB)
                        | Capability.PLUGIN_AUTH
                        | Capability.SECURE_CONNECTION);
        MysqlLoop loop = session.loop();
        EngineLogin.open(
                loop.loop(),
                loop.services()
                        .socketPath()
                        .apply(loop.services().admission().nodes().master()),
                template,
                session.passwordHash(),
                opened -> opened.announce(
                        session.client().remote(), session.client().local()),
                outcome -> {
                    switch (outcome) {
                        case EngineLogin.Outcome.Failed failed -> refused(failed.error());
                        case EngineLogin.Outcome.Done ready -> tell(ready.link(), ready.connectionId());
                    }
                });
    }

    private void refused(@Nullable ErrMessage error) {
        if (error != null && error.code() == MysqlErrors.TOO_MANY_CLIENTS.code()) {
            // Others have connected past Multimed.
            release();
            end(false);
        } else if (error != null) {
            lost(error.message());
        } else if (session.isClosed()) {
            end(false);
        } else if (System.nanoTime() - makingSince < LONGEST_MAKING_NANOS) {
            // With many logins at once the engine may end one that it has had no time for. It has refused nothing.
            openLater();
        } else {
            release();
            end(false);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The action finds out itself whether it is still needed.
    private void openLater() {
        session.loop()
                .loop()
                .schedule(
                        () -> {
                            if (session.isClosed()) {
                                end(false);
                            } else {
                                open();
                            }
                        },
                        PAUSE_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void tell(EngineLink opened, long connectionId) {
        if (session.isClosed()) {
            opened.close();
            release();
            return;
        }
        // From now on the end of the session closes it.
        link = opened;
        SessionState state = session.state();
        List<String> statements = new ArrayList<>();
        statements.add("SELECT HEX(CONVERT(CURRENT_USER() USING utf8mb4)), @@wait_timeout");
        statements.add(SessionSetup.TELL_ALL);
        statements.add("SET autocommit=1");
        statements.add(role.isEmpty() ? "SET ROLE NONE" : "SET ROLE `" + role.replace("`", "``") + "`");
        statements.addAll(state.variables().statementsOnMaster());
        if (state.database().length > 0) {
            statements.add("USE `" + state.databaseText().replace("`", "``") + "`");
        }
        if (!lastInsertId.equals("0")) {
            statements.add("SET last_insert_id=" + lastInsertId);
        }
        MysqlOwnStatements.execute(opened, session.masterCapabilities(), statements, answers -> {
            if (answers == null || session.isClosed()) {
                session.closed();
                return;
            }
            for (MysqlOwnStatements.Answer answer : answers) {
                if (answer.error() != null) {
                    lost(answer.error().message());
                    return;
                }
            }
            List<@Nullable String> row = answers.get(0).onlyRow();
            String account = row == null ? null : row.get(0);
            long seconds = row == null ? 0 : number(row.get(1));
            if (account == null
                    || !Arrays.equals(HexFormat.of().parseHex(account.toLowerCase(Locale.ROOT)), session.account())) {
                lost("the account is another one");
                return;
            }
            session.state().waits(seconds);
            moved = true;
            number(connectionId);
            state.status(answers.get(answers.size() - 1).status());
            prepareStatements(() -> leaveTraces(opened));
        });
    }

    private void prepareStatements(Runnable done) {
        PreparedStatements statements = session.statements();
        if (statements == null) {
            done.run();
        } else {
            statements.connected(done);
        }
    }

    /** Has the connection show the traces of the last statement on the former one. */
    private void leaveTraces(EngineLink opened) {
        MysqlOwnStatements.execute(opened, session.masterCapabilities(), last.again(), answers -> {
            if (answers == null || session.isClosed()) {
                session.closed();
                return;
            }
            session.state().status(answers.get(answers.size() - 1).status());
            session.idleOnMaster();
            end(true);
        });
    }

    /** Ends a session that cannot have its connection again. */
    void lost(String reason) {
        LOG.info(
                "A session of {} cannot connect to the Master again: {}",
                new String(session.account(), StandardCharsets.UTF_8),
                reason);
        ByteBuf out = session.client().alloc().buffer();
        MysqlErrors.write(out, 1, MysqlErrors.NOT_AGAIN);
        session.client().write(out);
        session.finish();
    }

    /** Closes the connection: the session ends. */
    void close() {
        links().ended(this);
        session.loop().numbers().remove(number, session);
        EngineLink present = link;
        if (present != null) {
            present.close();
        }
        release();
        end(false);
    }

    /** Receives what the Master says about the end of a connection that has been given up. */
    private static final class Nothing implements PacketSink {
        @Override
        public void packets(ByteBuf in) {
            in.skipBytes(in.readableBytes());
        }

        @Override
        public void closed() {}
    }
}
