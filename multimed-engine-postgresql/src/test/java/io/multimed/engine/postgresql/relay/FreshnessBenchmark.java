package io.multimed.engine.postgresql.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Arrays;

/**
 * Measures the time between a commit's acknowledgement and its application on a Satellite without other load: a Master, the
 * Relay and one Satellite, one writer. Prints microseconds.
 */
final class FreshnessBenchmark {
    private static final int WARM_UP = 3000;
    private static final int COMMITS = 3000;

    private FreshnessBenchmark() {}

    public static void main(String[] args) throws Exception {
        try (TestEngine master =
                        TestEngine.create(Installations.newest(), "fsync = on").start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected();
                TestEngine satellite = master.copy(relay.primaryConninfo(relay.first), "fsync = off")
                        .start();
                Connection connection = master.connect()) {
            master.execute("CREATE TABLE t (id int)");
            relay.caughtUp(relay.first);
            long[] visible = new long[COMMITS];
            long[] commit = new long[COMMITS];
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
                for (int i = -WARM_UP; i < COMMITS; i++) {
                    insert.setInt(1, i);
                    long begun = System.nanoTime();
                    insert.execute();
                    long acknowledged = System.nanoTime();
                    long floor = relay.log.floor();
                    while (relay.first.applied() < floor) {
                        Thread.onSpinWait();
                    }
                    if (i >= 0) {
                        visible[i] = System.nanoTime() - acknowledged;
                        commit[i] = acknowledged - begun;
                    }
                }
            }
            print("commit", commit);
            print("acknowledged to applied", visible);
            String count = satellite.query("SELECT count(*) FROM t");
            if (!count.equals(Integer.toString(WARM_UP + COMMITS))) {
                throw new IllegalStateException("the satellite has " + count + " rows");
            }
        }
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%s: p50 %d us, p99 %d us%n",
                what, nanos[nanos.length / 2] / 1000, nanos[nanos.length * 99 / 100] / 1000);
    }
}
