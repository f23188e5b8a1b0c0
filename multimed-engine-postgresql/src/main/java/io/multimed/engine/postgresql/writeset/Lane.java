package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.wire.MasterRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One decoding of the Master's log by a thread of its own, for the subscriptions on it. When its connection is lost it begins anew
 * where it was; the subscriptions notice nothing but the time.
 *
 * <p>Invariant: each subscription on the lane has received at least what the lane has given. So a subscription may move from one lane
 * to another as soon as it has received as much as that one has given, and two lanes that give to it at the same time do no harm:
 * each commit enters once, in order.
 *
 * <p>A subscription whose queue is full leaves the lane at once if another on it could go on, see {@link Course#leftBehind}. If all
 * are full, the lane waits for them.
 */
final class Lane implements WriteSetStream.Receiver, AutoCloseable {
    /** How a lane gets its stream, and what it reports. Called by the lane's thread. */
    interface Course {
        /** Begins a stream of every commit behind {@code from}. */
        WriteSetStream begin(long from) throws IOException, MasterRefusedException;

        /** Returns the position behind which the Master must be able to give every commit again. */
        long confirmed(long received);

        /** A subscription is no longer on the lane, since its queue is full and others go on. */
        void leftBehind(Subscription subscription);

        /** A subscription that waited is on the lane now. */
        void joined(Subscription subscription);

        /** The Master refuses for good, or the lane has failed; called once, last. */
        void ended(Throwable cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    /** An applier that writes nothing for so long will not go on; one large transaction may take minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final long STATUS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /**
     * The times after a request at which it is repeated, doubled each time: from release 16 on, a walsender that is about to sleep can
     * miss that there is more log, and then sleeps until it hears something.
     */
    private static final long FIRST_REPETITION = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long LAST_REPETITION = TimeUnit.MILLISECONDS.toNanos(256);
    /** The time between looks whether a lane that waits for room could leave a subscription behind. */
    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long FIRST_PAUSE = 5;
    private static final long LAST_PAUSE = 250;
    private static final long WORTH_A_WARNING = TimeUnit.SECONDS.toNanos(10);

    /** States of refusals that pass: a slot in use by the connection that was lost, the Master's end and start, too many connections. */
    private static final Set<String> PASSING = Set.of("55006", "57P01", "57P02", "57P03", "57014");

    private final Course course;
    private final List<Subscription> riders = new CopyOnWriteArrayList<>();
    private final List<Subscription> waiting = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable WriteSetStream stream;
    private volatile boolean replyRequested;
    private volatile long received;
    private volatile long streamed;
    private long statusDue;
    /** The time until the present request is repeated, and when; 0 if it is not. */
    private long repetition;

    private long repetitionDue;

    /** @param from the position behind which the lane gives every commit */
    Lane(String name, long from, Course course) {
        this.course = course;
        received = from;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Adds a subscription that has received at least what this lane begins behind; before {@link #start}. */
    void add(Subscription subscription) {
        riders.add(subscription);
    }

    /** Adds a subscription, which another lane serves, as soon as it has received what this lane has given. Any thread. */
    void await(Subscription subscription) {
        waiting.add(subscription);
        wakeUp();
    }

    /** Takes off a subscription that has ended. Any thread. */
    void remove(Subscription subscription) {
        waiting.remove(subscription);
        riders.remove(subscription);
    }

    private void run() {
        long pause = FIRST_PAUSE;
        long awaySince = System.nanoTime();
        boolean warned = false;
        while (!isClosing()) {
            String loss;
            try (WriteSetStream begun = course.begin(received)) {
                stream = begun;
                statusDue = System.nanoTime();
                while (!isClosing()) {
                    turn(begun);
                    pause = FIRST_PAUSE;
                    awaySince = System.nanoTime();
                    warned = false;
                }
                return;
            } catch (IOException e) {
                loss = String.valueOf(e.getMessage());
            } catch (MasterRefusedException e) {
                if (!passes(e)) {
                    end(new IOException("the master refuses: " + e.getMessage() + " (" + e.sqlState() + ")", e));
                    return;
                }
                loss = String.valueOf(e.getMessage());
            } catch (InterruptedException | WriteSetTooLargeException | RuntimeException | OutOfMemoryError e) {
                end(e);
                return;
            } finally {
                stream = null;
            }
            LOG.debug("{}: {}", thread.getName(), loss);
            if (!warned && System.nanoTime() - awaySince > WORTH_A_WARNING) {
                warned = true;
                LOG.warn("No write sets from the master: {}", loss);
            }
            try {
                if (closing.await(pause, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                end(e);
                return;
            }
            pause = Math.min(2 * pause, LAST_PAUSE);
        }
    }

    private static boolean passes(MasterRefusedException e) {
        String state = e.sqlState();
        return PASSING.contains(state) || state.startsWith("53") || state.startsWith("08");
    }

    private void end(Throwable cause) {
        if (!isClosing()) {
            course.ended(cause);
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void turn(WriteSetStream begun)
            throws IOException, MasterRefusedException, WriteSetTooLargeException, InterruptedException {
        takeOn();
        makeRoom(begun);
        statusIfDue(begun);
        long slice = repetition == 0 ? SLICE_NANOS : Math.clamp(repetitionDue - System.nanoTime(), 0, SLICE_NANOS);
        if (begun.next(slice, this)) {
            status(begun, false);
        }
    }

    private void statusIfDue(WriteSetStream begun) throws IOException {
        long now = System.nanoTime();
        if (replyRequested) {
            replyRequested = false;
            request(begun, now, FIRST_REPETITION);
        } else if (repetition > 0 && now - repetitionDue >= 0) {
            request(begun, now, repetition < LAST_REPETITION ? 2 * repetition : 0);
        } else if (now - statusDue >= 0) {
            status(begun, false);
        }
    }

    private void request(WriteSetStream begun, long now, long next) throws IOException {
        repetition = next;
        repetitionDue = now + next;
        status(begun, true);
    }

    private void status(WriteSetStream begun, boolean reply) throws IOException {
        statusDue = System.nanoTime() + STATUS_NANOS;
        begun.status(received, course.confirmed(received), reply);
    }

    @Override
    public void transaction(Transaction transaction) {
        WriteSetStream running = stream;
        streamed = running == null ? 0 : running.streamed();
        for (Subscription subscription : riders) {
            subscription.offer(transaction);
        }
        received = Math.max(received, transaction.scn());
    }

    @Override
    public void position(long scn) {
        for (Subscription subscription : riders) {
            subscription.position(scn);
        }
        received = Math.max(received, scn);
    }

    /** Takes on those who have received what this lane has given. */
    private void takeOn() {
        for (Subscription subscription : List.copyOf(waiting)) {
            if (subscription.received() >= received && !subscription.isFull()) {
                riders.add(subscription);
                waiting.remove(subscription);
                course.joined(subscription);
                if (subscription.ended() != null) {
                    riders.remove(subscription);
                }
            }
        }
    }

    /** Waits until every queue has room; leaves behind a full one if another has much. */
    private void makeRoom(WriteSetStream begun) throws IOException, InterruptedException {
        long since = System.nanoTime();
        long done = 0;
        for (Subscription full = full(); full != null && !isClosing(); full = full()) {
            if (othersStarve(full)) {
                riders.remove(full);
                course.leftBehind(full);
                continue;
            }
            full.awaitRoom(ROOM_NANOS);
            // The Master ends a connection that is silent for long.
            statusIfDue(begun);
            if (full.done() != done) {
                done = full.done();
                since = System.nanoTime();
            } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
                full.end(new TimeoutException(
                        "no group was applied within " + PATIENCE.toMinutes() + " min, and the queue is full"));
            }
        }
    }

    private boolean othersStarve(Subscription full) {
        for (Subscription other : riders) {
            // The full one may have been emptied meanwhile.
            if (other != full && other.isHungry()) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Subscription full() {
        for (Subscription subscription : riders) {
            if (subscription.isFull()) {
                return subscription;
            }
        }
        return null;
    }

    /** Has the Master report at once how far it is, and some times after that. Any thread. */
    void hurry() {
        replyRequested = true;
        wakeUp();
    }

    private void wakeUp() {
        WriteSetStream running = stream;
        if (running != null) {
            running.wakeUp();
        }
    }

    /** Returns the position up to which everything was given. Any thread. */
    long received() {
        return received;
    }

    /** Returns the number of transactions that came in parts over the present connection, for tests. */
    long streamed() {
        return streamed;
    }

    /** Has the lane end, and does not wait for that. Any thread. */
    void stop() {
        closing.countDown();
        wakeUp();
    }

    /** Ends the lane; the subscriptions stay as they are. Any thread. */
    @Override
    public void close() {
        stop();
        if (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
