package io.multimed.tests.history;

import io.multimed.tests.history.Clients.Client;
import io.multimed.tests.history.HistorySession.Failed;
import io.multimed.tests.history.HistorySession.Kind;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Writers and readers that record their actions until they are stopped. A session that loses its connection goes on with a new
 * one, as a new session.
 */
final class Workload {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration RECONNECT = Duration.ofMillis(20);

    private final Clients clients;
    private final Dialect dialect;
    private final long seed;
    private final Recording recording = new Recording();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();

    Workload(Clients clients, long seed) {
        this.clients = clients;
        this.dialect = clients.dialect();
        this.seed = seed;
    }

    private interface Step {
        void run(HistorySession session, int number, RandomGenerator random) throws Failed;
    }

    void start() {
        session(
                "serial writer",
                clients.serial(),
                (session, number, random) -> new Writer(session, number, -1, dialect, recording)
                        .write(
                                Writer.Form.BLOCK,
                                new TreeSet<>(List.of(Schema.serial(random), Schema.serial(random)))));
        // Writers that never conflict, in every form.
        List<Writer.Form> forms = dialect.forms();
        for (int i = 0; i < clients.writers().size(); i++) {
            int writer = i;
            Client client = clients.writers().get(i);
            Clients.Opener resolving = () -> {
                HistorySession session = client.opener().open();
                try {
                    new Writer(session, 0, writer, dialect, recording).rollBackPrepared();
                    return session;
                } catch (Failed failed) {
                    session.close();
                    throw new IOException(failed);
                }
            };
            session("writer " + i, new Client(client.name(), resolving), (session, number, random) -> {
                Writer.Form form = forms.get(random.nextInt(forms.size()));
                new Writer(session, number, writer, dialect, recording)
                        .write(form, new TreeSet<>(List.of(Schema.own(writer, random), Schema.own(writer, random))));
            });
        }
        for (Client client : clients.overwriters()) {
            session("overwriter", client, (session, number, random) -> {
                new Writer(session, number, -1, dialect, recording).readAndWrite(random);
                reader(session, number, random).autocommit();
            });
        }
        for (Client client : clients.readers()) {
            session(
                    "autocommit reader",
                    client,
                    (session, number, random) -> reader(session, number, random).autocommit());
        }
        for (Client client : clients.transactionReaders()) {
            session("transaction reader", client, (session, number, random) -> {
                Reader reader = reader(session, number, random);
                switch (random.nextInt(5)) {
                    case 0 -> reader.transaction(Kind.READ_COMMITTED_READ_ONLY);
                    case 3 -> reader.snapshotOfRegisters();
                    case 1 -> reader.transaction(Kind.REPEATABLE_READ_READ_ONLY);
                    case 2 -> reader.transaction(Kind.READ_COMMITTED);
                    default -> reader.autocommit();
                }
            });
        }
        for (Client client : clients.wanderers()) {
            session("to and fro", client, (session, number, random) -> {
                Reader reader = reader(session, number, random);
                reader.autocommit();
                reader.transaction(Kind.REPEATABLE_READ);
                reader.transaction(Kind.READ_COMMITTED_READ_ONLY);
                reader.transaction(Kind.READ_COMMITTED);
            });
        }
    }

    private Reader reader(HistorySession session, int number, RandomGenerator random) {
        return new Reader(session, number, clients.writers().size(), recording, random);
    }

    private void session(String kind, Client client, Step step) {
        RandomGenerator random = new SplittableRandom(seed + running.size());
        running.add(threads.submit(() -> {
            while (!stop.get()) {
                try (HistorySession session = client.opener().open()) {
                    int number = recording.nextSession(kind + ", " + client.name());
                    while (!stop.get()) {
                        if (!tried(session, number, random, step)) {
                            break;
                        }
                    }
                } catch (IOException | SQLException e) {
                    recording.error("cannot connect", String.valueOf(e.getMessage()));
                    LockSupport.parkNanos(RECONNECT.toNanos());
                }
            }
            return null;
        }));
    }

    /** @return whether the session can go on */
    private boolean tried(HistorySession session, int number, RandomGenerator random, Step step) {
        try {
            step.run(session, number, random);
            return true;
        } catch (Failed failed) {
            recording.error(failed.sqlState, String.valueOf(failed.getMessage()));
            if (failed.lost) {
                return false;
            }
            try {
                session.rollback();
                return true;
            } catch (Failed again) {
                return false;
            }
        }
    }

    /** Stops after the transactions under way. */
    Recording stop() throws InterruptedException, ExecutionException {
        stop.set(true);
        for (Future<?> session : running) {
            session.get();
        }
        threads.shutdown();
        if (!threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("sessions do not end");
        }
        return recording;
    }

    /** Returns the recording so far; it goes on growing. */
    Recording recording() {
        return recording;
    }
}
