package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.SilentUser;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of the Master on a connection of the loop's own. Where cores are busy, each thread that an answer passes through
 * adds a wait for a core. Here the answer passes only through the loop, which also reads the answers to clients.
 *
 * <p>One snapshot serves all sessions that ask in one round of the loop. The snapshot may be older than what a session has seen, if
 * the session asked in the same round but after the query was sent; such a session asks once more. While there is no connection,
 * the endpoint's services are asked.
 */
public final class MasterSnapshots extends SilentUser implements BackendWaiter {
    /** Every Master has this role and this database. No client's connection is of this kind. */
    private static final PoolKey KEY = new PoolKey(
            "postgres",
            "postgres",
            Map.of(
                    "options",
                    "-c application_name=multimed -c default_transaction_isolation=read\\ committed"
                            + " -c statement_timeout=0 -c idle_session_timeout=0"));

    private static final String STATEMENT = "multimed_snapshot";
    private static final byte[] NO_PARAMETERS = {0, 0};
    /**
     * Most queries under way at a time. The first query may be too old for sessions that ask now, so a second one goes out beside
     * it; a third can wait.
     */
    private static final int MOST_UNDER_WAY = 2;
    /** Time after which a Master that does not answer is given up, since it will not make anything visible either. */
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LoopContext loop;
    private List<Runnable> asking = new ArrayList<>();
    /** The queries that have been sent and not been answered, in order. */
    private final ArrayDeque<Asked> underWay = new ArrayDeque<>();

    private String query = "";
    private @Nullable BackendConnection backend;
    private boolean connecting;
    private boolean sending;
    private boolean watched;
    /** Whether the engine has answered with an error. Then the prepared statement may be missing on the connection. */
    private boolean failed;

    private long refusedNanos;
    private boolean refused;

    /**
     * A query to the Master.
     *
     * @param by the callbacks that its answer serves; empty for the messages that prepare the connection
     * @param sentNanos the time of sending by the loop's clock
     */
    private record Asked(List<Runnable> by, long sentNanos) {}

    MasterSnapshots(LoopContext loop) {
        this.loop = loop;
    }

    /**
     * Takes a snapshot.
     *
     * @param done called on the loop, and not before this method returns, once the Master's visibility has the snapshot, or when
     *     the Master could not be asked
     */
    public void take(Runnable done) {
        if (backend != null) {
            asking.add(done);
            sendLater();
            return;
        }
        String text = loop.services().snapshots().query();
        if (text != null && !connecting && !(refused && loop.nanoTime() - refusedNanos < RETRY_NANOS)) {
            query = text;
            connect();
        }
        loop.services().snapshots().take(() -> loop.loop().execute(done));
    }

    private void connect() {
        connecting = true;
        BackendConnection free = loop.backends().of(loop.nodes().master()).acquire(KEY, this, 0);
        if (free != null) {
            acquired(free);
        }
    }

    private void sendLater() {
        if (!sending) {
            sending = true;
            loop.loop().execute(this::send);
        }
    }

    private void send() {
        sending = false;
        BackendConnection to = backend;
        if (to == null || asking.isEmpty() || underWay.size() >= MOST_UNDER_WAY) {
            return;
        }
        ByteBuf out = to.buffer(64);
        FrontendMessages.bind(out, STATEMENT);
        FrontendMessages.execute(out);
        FrontendMessages.sync(out);
        to.write(out);
        underWay.add(new Asked(asking, loop.nanoTime()));
        asking = new ArrayList<>();
        watch(ANSWER_NANOS);
    }

    /** Watches for an answer that does not come. Without this its askers would wait until their time limits. */
    @SuppressWarnings("FutureReturnValueIgnored") // The look itself begins the next one.
    private void watch(long nanos) {
        if (!watched) {
            watched = true;
            loop.loop().schedule(this::lookAfter, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void lookAfter() {
        watched = false;
        Asked first = underWay.peekFirst();
        if (first == null) {
            return;
        }
        long left = ANSWER_NANOS - (loop.nanoTime() - first.sentNanos());
        if (left <= 0) {
            giveUp();
        } else {
            watch(left);
        }
    }

    private void giveUp() {
        BackendConnection useless = backend;
        backend = null;
        failed = false;
        wasRefused();
        if (useless != null) {
            useless.discard();
        }
        serveAll();
    }

    /** Remembers that no connection is available for a while. */
    private void wasRefused() {
        connecting = false;
        refused = true;
        refusedNanos = loop.nanoTime();
    }

    /** Serves all askers. An asker for whom the snapshot is not enough asks again. */
    private void serveAll() {
        List<Runnable> left = new ArrayList<>();
        underWay.forEach(asked -> left.addAll(asked.by()));
        underWay.clear();
        left.addAll(asking);
        asking = new ArrayList<>();
        serve(left);
    }

    private void serve(List<Runnable> askers) {
        askers.forEach(loop.loop()::execute);
    }

    @Override
    public boolean isMultimedsOwn() {
        return true;
    }

    @Override
    public int clientProcessId() {
        return 0;
    }

    @Override
    public void acquired(BackendConnection connection) {
        connecting = false;
        refused = false;
        backend = connection;
        connection.keepPrivate();
        connection.prepared().unnamed(null);
        ByteBuf out = connection.buffer(128);
        FrontendMessages.parse(out, STATEMENT, query.getBytes(StandardCharsets.UTF_8), NO_PARAMETERS);
        FrontendMessages.sync(out);
        connection.write(out);
        underWay.add(new Asked(List.of(), loop.nanoTime()));
        watch(ANSWER_NANOS);
    }

    @Override
    public void notAcquired(@Nullable ErrorFields error) {
        wasRefused();
    }

    @Override
    public boolean wantsWholeMessages() {
        return true;
    }

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        if (type == Backend.DATA_ROW) {
            // Skips the length of the message, the number of columns and the length of the first column.
            int value = index + 1 + Integer.BYTES + Short.BYTES + Integer.BYTES;
            loop.services().snapshots().taken(in.toString(value, index + length - value, StandardCharsets.UTF_8));
        } else if (type == Backend.ERROR_RESPONSE) {
            failed = true;
        }
        return false;
    }

    @Override
    public void onReady(byte status) {
        if (failed) {
            giveUp();
            return;
        }
        Asked answered = underWay.poll();
        if (!asking.isEmpty()) {
            sendLater();
        }
        if (answered != null) {
            serve(answered.by());
        }
    }

    @Override
    public void onClosed() {
        backend = null;
        connecting = false;
        failed = false;
        serveAll();
    }
}
