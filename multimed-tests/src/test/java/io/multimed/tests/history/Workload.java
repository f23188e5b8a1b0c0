package io.multimed.tests.history;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.history.HistorySession.Failed;
import io.multimed.tests.history.HistorySession.Kind;
import io.multimed.tests.history.WireHistorySession.Protocol;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private static final Writer.Form[] FORMS = Writer.Form.values();

    private final ServerAddress address;
    private final Credentials credentials;
    private final String database;
    private final boolean multimed;
    private final long seed;
    private final Recording recording = new Recording();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();

    /** Number of writers that write registers of their own. */
    static final int WRITERS = 4;

    /** @param multimed whether the server is a Multimed, or a PostgreSQL where every read is one on the Master */
    Workload(ServerAddress address, Credentials credentials, String database, boolean multimed, long seed) {
        this.address = address;
        this.credentials = credentials;
        this.database = database;
        this.multimed = multimed;
        this.seed = seed;
    }

    private interface Opener {
        HistorySession open() throws IOException, SQLException;
    }

    /** The connections of a session. */
    private record Client(String name, Opener opener) {}

    private interface Step {
        void run(HistorySession session, int number, RandomGenerator random) throws Failed;
    }

    void start() {
        // One writer whose transactions never overlap.
        session(
                "serial writer",
                jdbc(),
                (session, number, random) -> new Writer(session, number, -1, recording)
                        .write(
                                Writer.Form.BLOCK,
                                new TreeSet<>(List.of(Schema.serial(random), Schema.serial(random)))));
        // Writers that never conflict, in every form.
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            Client client = i % 2 == 0 ? wire(Protocol.MIXED) : jdbc();
            Opener resolving = () -> {
                HistorySession session = client.opener().open();
                try {
                    new Writer(session, 0, writer, recording).rollBackPrepared();
                    return session;
                } catch (Failed failed) {
                    session.close();
                    throw new IOException(failed);
                }
            };
            session("writer " + i, new Client(client.name(), resolving), (session, number, random) -> {
                Writer.Form form = FORMS[random.nextInt(FORMS.length)];
                new Writer(session, number, writer, recording)
                        .write(form, new TreeSet<>(List.of(Schema.own(writer, random), Schema.own(writer, random))));
            });
        }
        // Writers that read what others write and overwrite it, and read on.
        for (Client client : List.of(wire(Protocol.PREPARED), jdbc())) {
            session("overwriter", client, (session, number, random) -> {
                new Writer(session, number, -1, recording).readAndWrite(random);
                reader(session, number, random).autocommit();
            });
        }
        // Readers.
        for (Client client : List.of(wire(Protocol.SIMPLE), wire(Protocol.EXTENDED), wire(Protocol.PREPARED), jdbc())) {
            session(
                    "autocommit reader",
                    client,
                    (session, number, random) -> reader(session, number, random).autocommit());
        }
        for (Client client : List.of(wire(Protocol.MIXED), jdbc())) {
            session("transaction reader", client, (session, number, random) -> {
                Reader reader = reader(session, number, random);
                switch (random.nextInt(4)) {
                    case 0 -> reader.transaction(Kind.READ_COMMITTED_READ_ONLY);
                    case 1 -> reader.transaction(Kind.REPEATABLE_READ_READ_ONLY);
                    case 2 -> reader.transaction(Kind.READ_COMMITTED);
                    default -> reader.autocommit();
                }
            });
        }
        // A session that goes back and forth between the Satellites and the Master.
        session("to and fro", wire(Protocol.MIXED), (session, number, random) -> {
            Reader reader = reader(session, number, random);
            reader.autocommit();
            reader.transaction(Kind.REPEATABLE_READ);
            reader.transaction(Kind.READ_COMMITTED_READ_ONLY);
            reader.transaction(Kind.READ_COMMITTED);
        });
    }

    private Reader reader(HistorySession session, int number, RandomGenerator random) {
        return new Reader(session, number, WRITERS, recording, random);
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

    private Client wire(Protocol protocol) {
        return new Client(
                protocol.name(),
                () -> new WireHistorySession(
                        WireSession.open(
                                address,
                                Map.of("user", credentials.user(), "database", database),
                                credentials.password(),
                                PATIENCE),
                        protocol,
                        multimed));
    }

    private Client jdbc() {
        return new Client("JDBC", this::openJdbc);
    }

    private HistorySession openJdbc() throws SQLException {
        String url = "jdbc:postgresql://" + address.host() + ":" + address.port() + "/" + database
                + "?user=" + credentials.user()
                + (credentials.password() == null ? "" : "&password=" + credentials.password())
                + "&sslmode=" + (credentials.tls() ? "require" : "disable")
                + "&connectTimeout=10&socketTimeout=60&ApplicationName=history";
        return new JdbcHistorySession(DriverManager.getConnection(url), multimed);
    }
}
