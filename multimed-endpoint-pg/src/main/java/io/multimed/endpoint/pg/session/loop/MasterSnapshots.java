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
 * Snapshots of the Master, taken on a connection of the loop's own: where cores are busy, each thread that an answer passes
 * through makes it wait for one more, and here it passes through none but the loop, which reads the answers to clients too.
 *
 * <p>Whoever asks in one round of the loop is served by one snapshot. It may be older than what he has seen, if he asked in the
 * same round after it was sent; then he asks once more. While there is no connection, the endpoint's services are asked.
 */
public final class MasterSnapshots extends SilentUser implements BackendWaiter {
    /** Every Master has this role and this database; no client's connection is of this kind. */
    private static final PoolKey KEY = new PoolKey(
            "postgres",
            "postgres",
            Map.of(
                    "options",
                    "-c application_name=multimed -c default_transaction_isolation=read\\ committed"
                            + " -c statement_timeout=0 -c idle_session_timeout=0"));

    private static final String STATEMENT = "multimed_snapshot";
    private static final byte[] NO_PARAMETERS = {0, 0};
    /** A second one goes out while the first is under way, which may be too old for those who ask now; a third can wait. */
    private static final int MOST_UNDER_WAY = 2;
    /** A Master that does not answer for so long is not going to show anything to anyone. */
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LoopContext loop;
    private List<Runnable> asking = new ArrayList<>();
    /** What has been sent and not been answered, in order. */
    private final ArrayDeque<Asked> underWay = new ArrayDeque<>();

    private String query = "";
    private @Nullable BackendConnection backend;
    private boolean connecting;
    private boolean sending;
    private boolean watched;
    /** The engine has answered with an error: what the connection was prepared with may not be there. */
    private boolean failed;

    private long refusedNanos;
    private boolean refused;

    /**
     * A question to the Master.
     *
     * @param by whom its answer will serve; nobody: what the connection is prepared with
     * @param sentNanos by the loop's clock
     */
    private record Asked(List<Runnable> by, long sentNanos) {}

    MasterSnapshots(LoopContext loop) {
        this.loop = loop;
    }

    /**
     * Has one taken.
     *
     * @param done called on the loop, and not before this returns, once the Master's visibility knows of a snapshot, or when
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
        BackendConnection free = loop.backends().of(loop.nodes().master()).acquire(KEY, this);
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

    /** An answer that does not come would keep its askers until they may wait no longer. */
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

    /** There is no connection for a while. */
    private void wasRefused() {
        connecting = false;
        refused = true;
        refusedNanos = loop.nanoTime();
    }

    /** Whoever finds that it was not enough asks again. */
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
            // Length of the message, number of columns, length of the first.
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
