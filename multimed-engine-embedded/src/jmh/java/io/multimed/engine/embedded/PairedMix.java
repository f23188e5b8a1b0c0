package io.multimed.engine.embedded;

import com.sun.management.OperatingSystemMXBean;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.model.Freshness;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Replicas against the same engine alone, in turns, so that what the machine does meanwhile hits both: prints the median of
 * each, how many cores each used, the ratio, and that all replicas agree at the end.
 *
 * <p>Arguments: engine (h2 or hsqldb), replicas, clients, percentage of reads, turns, milliseconds of a turn, and
 * how reads are placed, as a URL has it.
 */
public final class PairedMix {
    /** Until the JVM has compiled what matters: it runs at a third before. */
    private static final long WARM_UP_MILLIS = 5000;

    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private PairedMix() {}

    public static void main(String[] arguments) throws Exception {
        String engine = arguments[0];
        int replicas = Integer.parseInt(arguments[1]);
        int clients = Integer.parseInt(arguments[2]);
        int reads = Integer.parseInt(arguments[3]);
        int turns = Integer.parseInt(arguments[4]);
        long millis = Long.parseLong(arguments[5]);
        ReadPolicy policy = ReadPolicy.valueOf(arguments[6].toUpperCase(Locale.ROOT).replace('-', '_'));
        try (Shop alone = new Shop(engine, 1, policy, clients);
                Shop several = new Shop(engine, replicas, policy, clients)) {
            alone.run(reads, WARM_UP_MILLIS);
            several.run(reads, WARM_UP_MILLIS);
            double[] one = new double[turns];
            double[] many = new double[turns];
            double[] ratio = new double[turns];
            double[] coresOfOne = new double[turns];
            double[] coresOfMany = new double[turns];
            for (int turn = 0; turn < turns; turn++) {
                one[turn] = alone.run(reads, millis);
                coresOfOne[turn] = alone.cores;
                many[turn] = several.run(reads, millis);
                coresOfMany[turn] = several.cores;
                ratio[turn] = many[turn] / one[turn];
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d replicas, %d clients, %d %% reads: alone %.0f tps on %.2f cores, replicas %.0f tps on %.2f, ratio %.2f (%.2f to %.2f)%s%n",
                    engine,
                    replicas,
                    clients,
                    reads,
                    median(one),
                    median(coresOfOne),
                    median(many),
                    median(coresOfMany),
                    median(ratio),
                    Arrays.stream(ratio).min().orElse(0),
                    Arrays.stream(ratio).max().orElse(0),
                    several.agreement());
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static final class Shop implements AutoCloseable {
        private final EmbeddedOptions options;
        private final Properties credentials = new Properties();
        private final EmbeddedSession owner;
        private final List<OrderClient> clients = new ArrayList<>();
        /** Used by the whole process during the latest run. */
        double cores;

        Shop(String engine, int replicas, ReadPolicy policy, int clients) throws SQLException {
            options = new EmbeddedOptions(
                    "jdbc:" + engine + ":mem:" + UUID.randomUUID(),
                    replicas,
                    policy,
                    Freshness.STRONG,
                    Duration.ofSeconds(2));
            credentials.setProperty("user", "SA");
            credentials.setProperty("password", "");
            owner = session();
            OrderClient.load(owner);
            for (int i = 0; i < clients; i++) {
                this.clients.add(new OrderClient(session(), i));
            }
        }

        private EmbeddedSession session() throws SQLException {
            return EmbeddedDatabases.connect(options, credentials, ReplicaListener.NONE);
        }

        /** @return transactions per second */
        double run(int reads, long millis) throws Exception {
            long began = System.nanoTime();
            long cpuBefore = PROCESS.getProcessCpuTime();
            long end = began + TimeUnit.MILLISECONDS.toNanos(millis);
            List<Worker> workers = new ArrayList<>();
            for (OrderClient client : clients) {
                Worker worker = new Worker(client, reads, end);
                worker.start();
                workers.add(worker);
            }
            long done = 0;
            for (Worker worker : workers) {
                worker.join();
                if (worker.failure != null) {
                    throw worker.failure;
                }
                done += worker.done;
            }
            cores = (double) (PROCESS.getProcessCpuTime() - cpuBefore) / (System.nanoTime() - began);
            return done * 1000.0 / millis;
        }

        /** Reads sums on every node. */
        String agreement() throws SQLException {
            List<String> sums = new ArrayList<>();
            for (int i = 1; i < options.replicas(); i++) {
                EmbeddedSession session = session();
                Replica replica = session.beginRead(false);
                sums.add(sum(replica.connection()));
                replica.endRead();
            }
            String master = sum(owner.master());
            owner.rollback();
            return sums.stream().allMatch(master::equals) ? ", replicas agree" : differ(sums, master);
        }

        private static String differ(List<String> sums, String master) {
            throw new IllegalStateException("replicas differ: " + sums + ", the master has " + master);
        }

        private static String sum(java.sql.Connection connection) throws SQLException {
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("SELECT (SELECT SUM(stock) FROM item), (SELECT COUNT(*) FROM orders),"
                            + " COUNT(*) FROM line")) {
                row.next();
                return row.getString(1) + "/" + row.getString(2) + "/" + row.getString(3);
            }
        }

        @Override
        public void close() throws SQLException {
            for (OrderClient client : clients) {
                client.close();
            }
            owner.close();
        }
    }

    private static final class Worker extends Thread {
        private final OrderClient client;
        private final int reads;
        private final long end;
        private final SplittableRandom random = new SplittableRandom(System.nanoTime());
        long done;
        Exception failure;

        Worker(OrderClient client, int reads, long end) {
            this.client = client;
            this.reads = reads;
            this.end = end;
        }

        @Override
        public void run() {
            try {
                while (System.nanoTime() < end) {
                    for (int i = 0; i < 10; i++) {
                        if (random.nextInt(100) < reads) {
                            client.read();
                        } else {
                            client.write();
                        }
                        done++;
                    }
                }
            } catch (Exception e) {
                failure = e;
            }
        }
    }
}
