package io.multimed.engine.embedded;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;

/**
 * Heap that replicas need, against one engine with the same data, and against as many engines that know nothing of each
 * other: replicas share the objects that hold values, where the engine lets them.
 *
 * <p>Arguments: engine (h2 or hsqldb), replicas, orders (of five lines each).
 */
public final class ReplicaMemory {
    private static final double MB = 1e6;
    /** What one collection leaves to finalizers and cleaners the next ones find. */
    private static final int COLLECTIONS = 3;

    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private ReplicaMemory() {}

    public static void main(String[] arguments) throws SQLException {
        String engine = arguments[0];
        int replicas = Integer.parseInt(arguments[1]);
        int orders = Integer.parseInt(arguments[2]);
        // Classes, and what an engine keeps for the whole process, are not the data's.
        heap(engine, replicas, 1, 1);
        double one = heap(engine, 1, 1, orders) / MB;
        double several = heap(engine, replicas, 1, orders) / MB;
        double apart = heap(engine, 1, replicas, orders) / MB;
        System.out.printf(
                Locale.ROOT,
                "%s, %d orders: one engine %.1f MB, %d replicas %.1f MB, %.2f times; %d engines that share nothing %.1f MB, %.2f times%n",
                engine,
                orders,
                one,
                replicas,
                several,
                several / one,
                replicas,
                apart,
                apart / one);
    }

    /** @return bytes that databases with so many orders each take */
    private static long heap(String engine, int replicas, int databases, int orders) throws SQLException {
        long before = used();
        List<EmbeddedSession> owners = new ArrayList<>();
        try {
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
                catchUp(options);
            }
            return used() - before;
        } finally {
            for (EmbeddedSession owner : owners) {
                shutDown(owner);
            }
        }
    }

    /** A read on each replica applies what it has not applied. */
    private static void catchUp(EmbeddedOptions options) throws SQLException {
        for (int i = 1; i < options.replicas(); i++) {
            EmbeddedSession session = session(options);
            session.beginRead(true).endRead();
            session.close();
        }
    }

    private static EmbeddedSession session(EmbeddedOptions options) throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        return EmbeddedDatabases.connect(options, credentials, ReplicaListener.NONE);
    }

    private static void shutDown(EmbeddedSession owner) throws SQLException {
        owner.shutDown(() -> {
            try (Statement statement = owner.master().createStatement()) {
                return statement.execute("SHUTDOWN");
            }
        });
        owner.close();
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}
