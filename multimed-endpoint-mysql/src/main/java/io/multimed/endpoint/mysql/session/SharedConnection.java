package io.multimed.endpoint.mysql.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.EngineLogin;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.endpoint.mysql.backend.OwnConnection;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Satellite on which reads of several sessions with equal {@link SharedTerms} are executed, one behind the other. They
 * are sent without waiting for the replies of those before, so that one system call sends or receives several.
 *
 * <p>Reads that wait behind one that unexpectedly takes long are executed elsewhere.
 *
 * <p>It has more fields than other classes, since it has a flag for each step in the life of the connection.
 */
final class SharedConnection implements PacketSink {
    /** Time between looks at whether reads wait behind a slow one. */
    private static final long LOOK_MILLIS = 10;

    private static final int MOST_WAITING = 64;

    private final MysqlLoop loop;
    private final ComputationalNode node;
    private final SharedTerms terms;
    private final long rights;
    /** The reads that the engine has been sent and not answered, the present one first. */
    private final ArrayDeque<SharedExchange> exchanges = new ArrayDeque<>();

    private final Runnable refused;
    private final SharedStatements statements = new SharedStatements();

    private @Nullable EngineLink link;
    private long number;
    private boolean ready;
    private boolean closed;
    private boolean retired;
    private boolean flushing;
    private boolean looking;
    private long usedNanos = System.nanoTime();

    /**
     * @param rights changes of schemas and accounts before the login, see {@link SharedReads}
     * @param refused called if the engine does not take the login or the settings
     */
    SharedConnection(MysqlLoop loop, ComputationalNode node, SharedTerms terms, long rights, Runnable refused) {
        this.refused = refused;
        this.loop = loop;
        this.node = node;
        this.terms = terms;
        this.rights = rights;
    }

    /**
     * Logs in. Reads can be sent at once.
     *
     * @param client from which the engine believes the connection to come
     * @param endpoint the address that the client has connected to
     */
    void open(InetSocketAddress client, InetSocketAddress endpoint) {
        EngineLogin.open(
                loop.loop(),
                loop.services().socketPath().apply(node),
                terms.login(),
                terms.passwordHash(),
                opened -> opened.announce(client, endpoint),
                this::opened);
    }

    private void opened(EngineLogin.Outcome outcome) {
        if (!(outcome instanceof EngineLogin.Outcome.Done done) || done.capabilities() != terms.capabilities()) {
            if (outcome instanceof EngineLogin.Outcome.Done other) {
                other.link().close();
            }
            refused.run();
            closed();
            return;
        }
        link = done.link();
        number = done.connectionId();
        if (closed) {
            done.link().close();
            return;
        }
        MysqlOwnStatements.execute(done.link(), terms.capabilities(), terms.settings(), answers -> {
            if (answers == null || answers.stream().anyMatch(answer -> answer.error() != null)) {
                refused.run();
                close();
                return;
            }
            done.link().sink(this);
            ready = true;
            exchanges.forEach(exchange -> write(done.link(), exchange));
            beginsNext();
            closeRetired();
        });
    }

    ComputationalNode node() {
        return node;
    }

    long capabilities() {
        return terms.capabilities();
    }

    long rights() {
        return rights;
    }

    /** Whether reads can be sent. */
    boolean isOpen() {
        return !closed && !retired;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isIdle() {
        return exchanges.isEmpty();
    }

    /** Returns how many reads are under way or wait here. */
    int load() {
        return exchanges.size();
    }

    /** Whether a read can wait behind those that are there. */
    boolean takesMore() {
        if (exchanges.isEmpty()) {
            return true;
        }
        SharedExchange present = exchanges.getFirst();
        return exchanges.size() < MOST_WAITING
                && exchanges.getLast().isShort()
                && (!ready || !(present.isSlow() || present.isKilled() || present.isClientSlow()));
    }

    /** Returns the time of the last read. */
    long usedNanos() {
        return usedNanos;
    }

    /** Sends a read behind those that are under way. */
    void send(SharedExchange exchange) {
        exchanges.add(exchange);
        usedNanos = System.nanoTime();
        node.transactionBegan();
        if (closed) {
            // The login has failed at once. The caller does not expect the end of the read before this returns.
            loop.loop().execute(this::closed);
            return;
        }
        EngineLink to = link;
        if (ready && to != null) {
            if (exchanges.size() == 1) {
                exchange.begins();
            }
            write(to, exchange);
            look();
        }
    }

    private void write(EngineLink to, SharedExchange exchange) {
        ByteBuf out = to.alloc().buffer();
        exchange.write(statements, out);
        to.write(out);
        if (!flushing) {
            flushing = true;
            // After the loop has read from all clients that have sent something.
            loop.loop().execute(() -> {
                flushing = false;
                to.flush();
            });
        }
    }

    /** Records a statement that the engine has prepared. */
    void prepared(SatelliteRead.Execution read, int engineNumber) {
        EngineLink to = link;
        for (int closed : statements.prepared(read, engineNumber)) {
            if (to != null) {
                ByteBuf out = to.alloc().buffer();
                SharedStatements.close(closed, out);
                to.write(out);
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The look finds out itself whether it is still needed.
    private void look() {
        if (!looking && (exchanges.size() > 1 || isWorkingForNobody())) {
            looking = true;
            loop.loop()
                    .schedule(
                            () -> {
                                looking = false;
                                if (!exchanges.isEmpty() && exchanges.getFirst().isSlow()) {
                                    takeBackWaiting();
                                    killIfForNobody();
                                } else {
                                    look();
                                }
                            },
                            LOOK_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    private boolean isWorkingForNobody() {
        SharedExchange present = exchanges.peek();
        return present != null && present.isAbandoned() && !present.isKilled();
    }

    private void killIfForNobody() {
        SharedExchange present = exchanges.peek();
        if (present != null && isWorkingForNobody()) {
            kill(present);
        }
    }

    private void takeBackWaiting() {
        List<SharedExchange> waiting = exchanges.stream().skip(1).toList();
        waiting.forEach(SharedExchange::takeBack);
    }

    @Override
    public void packets(ByteBuf in) throws MysqlProtocolException {
        boolean wasAwaited = true;
        while (PacketInput.hasPacket(in)) {
            SharedExchange present = exchanges.peek();
            if (present == null) {
                // The engine ends the connection, with or without a reason.
                in.skipBytes(in.readableBytes());
                close();
                return;
            }
            if (!present.take(in)) {
                if (present.isClientSlow()) {
                    takeBackWaiting();
                    reading(false);
                }
                return;
            }
            if (wasAwaited && present.isShort()) {
                // Replies behind it have come with it.
                loop.shortReads().waited(present.elapsedNanos());
                wasAwaited = false;
            }
            exchanges.remove();
            beginsNext();
            present.end();
            if (closeRetired()) {
                return;
            }
        }
    }

    private void beginsNext() {
        SharedExchange next = exchanges.peek();
        if (next != null) {
            next.begins();
            if (next.isKilled()) {
                killPresent();
            }
            look();
        }
    }

    /** Stops or continues reading from the engine. */
    void reading(boolean on) {
        if (link != null) {
            link.reading(on);
        }
    }

    /** Ends the execution of a read, as KILL QUERY does. */
    void kill(SharedExchange exchange) {
        exchange.kill();
        if (ready && exchange == exchanges.peek()) {
            killPresent();
        }
    }

    private void killPresent() {
        // The command may come late. Then it must not meet another read.
        retired = true;
        takeBackWaiting();
        OwnConnection own = new OwnConnection(
                loop.loop(),
                () -> loop.services().socketPath().apply(node),
                loop.services().account());
        own.execute(List.of("KILL QUERY " + number), ignored -> own.close());
    }

    /** Has the session of a read go on without it. The engine does not work for it any longer than necessary. */
    void leave(SharedExchange exchange) {
        exchange.leave();
        reading(true);
        if (ready) {
            look();
        }
    }

    /** Closes the connection once the reads under way have ended; others cannot be sent. */
    void retire() {
        retired = true;
        closeRetired();
    }

    private boolean closeRetired() {
        if (retired && exchanges.isEmpty() && !closed) {
            close();
        }
        return closed;
    }

    void close() {
        if (link != null) {
            link.close();
        }
        closed();
    }

    @Override
    public void closed() {
        closed = true;
        while (!exchanges.isEmpty()) {
            exchanges.remove().lost();
        }
    }
}
