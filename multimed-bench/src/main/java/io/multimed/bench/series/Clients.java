package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.client.Worker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The clients of one run, each on a thread of its own. */
final class Clients {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<Worker> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    /** The failure of a client that was meant to go on; of one of them. */
    private volatile @Nullable BenchException broken;

    /**
     * Connects all clients; none begins.
     *
     * @param make makes the client of a number, from 1
     */
    static Clients connect(IntFunction<Worker> make, int count) throws BenchException, InterruptedException {
        Clients all = new Clients();
        for (int number = 1; number <= count; number++) {
            // A thousand connections take a while, and a socket that is being connected does not notice interrupts.
            if (Thread.interrupted()) {
                all.clients.forEach(Worker::disconnect);
                throw new InterruptedException();
            }
            Worker client = make.apply(number);
            try {
                client.connect();
            } catch (SQLException e) {
                all.clients.forEach(Worker::disconnect);
                throw new BenchException("client " + number + " of " + count + " cannot connect: " + e.getMessage(), e);
            }
            all.clients.add(client);
        }
        return all;
    }

    /**
     * Lets all clients begin at once: each new thread would have to wait for its turn behind the working ones, with 1,000 for
     * minutes.
     */
    void start() {
        CountDownLatch all = new CountDownLatch(1);
        for (Worker client : clients) {
            int number = threads.size() + 1;
            threads.add(Thread.ofPlatform()
                    .name("bench-client-" + number)
                    .daemon()
                    .start(() -> {
                        if (began(all)) {
                            work(number, client);
                        }
                    }));
        }
        all.countDown();
    }

    /**
     * Runs a client and records its failure. Otherwise an unexpected failure, such as an answer of another form, would only
     * reduce the load.
     */
    private void work(int number, Worker client) {
        try {
            client.run();
        } catch (RuntimeException | Error e) {
            broken = new BenchException("client " + number + " ended by itself: " + e, e);
        }
    }

    private static boolean began(CountDownLatch all) {
        try {
            all.await();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Disconnects the clients that have stopped. */
    void disconnect() {
        for (int number = 0; number < threads.size(); number++) {
            if (!threads.get(number).isAlive()) {
                clients.get(number).disconnect();
            }
        }
    }

    /**
     * Waits until all clients have stopped. An interrupt is kept for later.
     *
     * @throws BenchException if one has not stopped, or had ended before
     */
    void join() throws BenchException {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int left = 0;
        for (Thread thread : threads) {
            while (thread.isAlive() && System.nanoTime() - deadline < 0) {
                try {
                    thread.join(Duration.ofMillis(100));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            left += thread.isAlive() ? 1 : 0;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (left > 0) {
            throw new BenchException(left + " clients wait for an answer for more than " + PATIENCE.toSeconds() + " s");
        }
        BenchException ended = broken;
        if (ended != null) {
            throw ended;
        }
    }
}
