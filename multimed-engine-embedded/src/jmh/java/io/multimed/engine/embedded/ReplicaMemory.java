package io.multimed.engine.embedded;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Prints the heap in bytes that databases with replicas need once the replicas have applied everything, and nothing else, on
 * standard output. Each run of a JVM measures once, because remains of one measurement would be part of the next one.
 *
 * <p>Arguments: engine (h2 or hsqldb), replicas of each database, number of independent databases with the same data, orders (of
 * five lines each) in each of them.
 *
 * <p>With {@code churn} and a number in front of these arguments, all this is opened, filled and shut down that many times. The
 * heap in use is printed after each time, one a line; it stays the same unless something is left behind.
 */
public final class ReplicaMemory {
    /** Number of garbage collections; later ones free objects that an earlier one left to finalizers and cleaners. */
    private static final int COLLECTIONS = 3;

    private static final long CATCH_UP_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private ReplicaMemory() {}

    public static void main(String[] arguments) throws SQLException, InterruptedException {
        boolean churns = arguments[0].equals("churn");
        int from = churns ? 2 : 0;
        String engine = arguments[from];
        int replicas = Integer.parseInt(arguments[from + 1]);
        int databases = Integer.parseInt(arguments[from + 2]);
        int orders = Integer.parseInt(arguments[from + 3]);
        if (churns) {
            for (int i = Integer.parseInt(arguments[1]); i > 0; i--) {
                close(open(engine, replicas, databases, orders));
                System.out.println(used());
            }
            return;
        }
        // Classes, and objects that an engine keeps for the whole process, do not count as data.
        close(open(engine, replicas, 1, 1));
        long before = used();
        List<EmbeddedSession> owners = open(engine, replicas, databases, orders);
        System.out.println(used() - before);
        close(owners);
    }

    /** @return a session of each database, which has all its orders on all replicas */
    private static List<EmbeddedSession> open(String engine, int replicas, int databases, int orders)
            throws SQLException, InterruptedException {
        List<EmbeddedSession> owners = new ArrayList<>();
        for (int i = 0; i < databases; i++) {
            EmbeddedOptions options = EmbeddedOptions.of("jdbc:" + engine + ":mem:" + UUID.randomUUID(), replicas);
            EmbeddedSession owner = session(options);
            owners.add(owner);
            OrderClient.load(owner);
            try (OrderClient client = new OrderClient(session(options), 0)) {
                for (int order = 0; order < orders; order++) {
                    client.write();
                }
            }
            awaitCaughtUp(owner.database());
        }
        return owners;
    }

    private static void awaitCaughtUp(EmbeddedDatabase database) throws InterruptedException {
        long began = System.nanoTime();
        while (!database.nodes().stream().allMatch(node -> node.state().equals("serving") && node.lag() == 0)) {
            if (System.nanoTime() - began > CATCH_UP_NANOS) {
                throw new IllegalStateException("not caught up: " + database.nodes());
            }
            Thread.sleep(1);
        }
    }

    private static EmbeddedSession session(EmbeddedOptions options) throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        return EmbeddedDatabases.connect(options, credentials, ReplicaListener.NONE);
    }

    private static void close(List<EmbeddedSession> owners) throws SQLException {
        for (EmbeddedSession owner : owners) {
            owner.shutDown(() -> {
                try (Statement statement = owner.master().createStatement()) {
                    return statement.execute("SHUTDOWN");
                }
            });
            owner.close();
        }
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}
