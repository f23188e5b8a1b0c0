package io.multimed.bench.tpcw;

import io.multimed.bench.BenchException;
import io.multimed.bench.client.Query;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Figure;
import io.multimed.bench.series.Episode;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.Template;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Before any client is connected: how soon a copy shows a single commit, and how fast it applies transactions that it could not
 * apply while the process that applies them was stopped. The orders of these transactions are deleted again.
 */
final class Backlog implements Episode {
    /** Ids of orders that no client draws. */
    private static final int BASE = 1_500_000_000;

    private static final int LINES = 3;
    /** Number of rows of a transaction: an order, its lines, an item. */
    private static final int ROWS = 1 + LINES + 1;

    private static final int LOOKS = 300;
    private static final int ATTEMPTS = 20;
    private static final long LOOK_MILLIS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final double NANOS = 1e9;
    private static final double MB = 1e6;
    private static final double NANOS_PER_MILLI = 1e6;
    /** The process of a standby, of a subscription, or of Multimed's own session at a partial Satellite. */
    private static final String APPLYING = """
            SELECT pid FROM pg_stat_get_activity(NULL) a LEFT JOIN pg_database d ON d.oid = a.datid
             WHERE backend_type = 'startup' OR backend_type LIKE 'logical replication%worker'
                OR application_name = 'multimed' AND datname = current_database() AND pid <> pg_backend_pid()
             ORDER BY backend_type = 'client backend', state_change DESC NULLS LAST LIMIT 1""";

    private static final String LOGGED = "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint";

    private final RunningSystem system;
    private final Consumer<String> progress;
    private final int transactions;
    private final int unique;
    private final List<Figure> figures = new ArrayList<>();
    private @Nullable Connection reopened;

    Backlog(RunningSystem system, Consumer<String> progress, int transactions, int unique) {
        this.unique = unique;
        this.system = system;
        this.progress = progress;
        this.transactions = transactions;
    }

    @Override
    public void quiet() throws BenchException, SQLException, InterruptedException {
        Node follower = follower();
        try (Connection master = system.nodes().getFirst().open(Template.DATABASE);
                Connection copy = follower.open(Template.DATABASE);
                Connection client = DriverManager.getConnection(system.address().url(Template.DATABASE))) {
            indexes(master, copy, follower.partial());
            visible(client, copy);
            // The first one is for the JVM, which has not compiled its code yet.
            catchUp(master, copy, BASE + LOOKS);
            figures.addAll(catchUp(master, copy, BASE + LOOKS + transactions));
            execute(master, "DELETE FROM order_line WHERE ol_o_id >= " + BASE);
            execute(master, "DELETE FROM orders WHERE o_id >= " + BASE);
            await(copy, BASE, false, PAUSE);
        }
    }

    /** Makes unique indexes, on a copy too that does not replay the Master's log. */
    private void indexes(Connection master, Connection copy, boolean apart) throws SQLException {
        for (int number = 1; number <= unique; number++) {
            for (String index : List.of(
                    "CREATE UNIQUE INDEX orders_unique_%1$d ON orders (o_c_id, o_date, o_id, (o_id + %1$d))",
                    "CREATE UNIQUE INDEX order_line_unique_%1$d ON order_line (ol_i_id, ol_o_id, ol_id, (ol_id + %1$d))")) {
                execute(master, index.formatted(number));
                if (apart) {
                    execute(copy, index.formatted(number));
                }
            }
        }
    }

    private Node follower() {
        return system.partial().orElseGet(() -> system.nodes().get(1));
    }

    private void visible(Connection client, Connection copy) throws BenchException, SQLException, InterruptedException {
        progress.accept("single commits");
        double[] millis = new double[LOOKS];
        for (int look = 0; look < LOOKS; look++) {
            execute(client, order(Integer.toString(BASE + look)));
            long acknowledged = System.nanoTime();
            await(copy, BASE + look, true, Duration.ZERO);
            millis[look] = (System.nanoTime() - acknowledged) / NANOS_PER_MILLI;
            Thread.sleep(LOOK_MILLIS);
        }
        Arrays.sort(millis);
        figures.add(new Figure("commit visible after, idle, p50", "ms", millis[LOOKS / 2]));
        figures.add(new Figure("commit visible after, idle, p99", "ms", millis[LOOKS * 99 / 100]));
    }

    /** @param first the id of the first order */
    private List<Figure> catchUp(Connection master, Connection copy, int first)
            throws BenchException, SQLException, InterruptedException {
        progress.accept("a backlog of " + transactions + " transactions");
        long pid = Query.number(copy, APPLYING);
        long before = Query.number(master, LOGGED);
        long logged;
        signal("STOP", pid);
        try {
            // The Master's own speed does not matter here.
            execute(master, "SET synchronous_commit = off");
            execute(master, """
                    DO $$
                    DECLARE items int := (SELECT max(i_id) FROM item);
                    BEGIN
                        FOR n IN %d..%d LOOP
                            %s;
                            INSERT INTO order_line SELECT n, line, 1 + (n + line) %% items, 1, 0, repeat('x', 60)
                              FROM generate_series(1, %d) line;
                            UPDATE item SET i_page = i_page WHERE i_id = 1 + n %% items;
                            COMMIT;
                        END LOOP;
                    END $$""".formatted(first, first + transactions - 1, order("n"), LINES));
            // Otherwise the Master would not write the end of its log for a while, in which there is nothing to apply.
            execute(master, "RESET synchronous_commit");
            execute(master, "SELECT pg_current_xact_id()");
            logged = Query.number(master, LOGGED) - before;
            if (holds(copy, first)) {
                throw new BenchException("process " + pid + " of the copy is stopped, and another one applies");
            }
        } finally {
            signal("CONT", pid);
        }
        progress.accept("catching up");
        long began = System.nanoTime();
        await(copy, first + transactions - 1, true, PAUSE);
        double seconds = (System.nanoTime() - began) / NANOS;
        return List.of(
                new Figure("transactions applied while catching up", "1/s", transactions / seconds),
                new Figure("rows applied while catching up", "1/s", ROWS * transactions / seconds),
                new Figure("log applied while catching up", "MB/s", logged / MB / seconds),
                new Figure("catching up", "s", seconds));
    }

    private static void signal(String signal, long pid) throws BenchException, InterruptedException {
        try {
            if (new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
                            .start()
                            .waitFor()
                    != 0) {
                throw new BenchException("cannot send SIG" + signal + " to the process " + pid + " of a copy");
            }
        } catch (IOException e) {
            throw new BenchException("cannot send SIG" + signal + " to a copy: " + e, e);
        }
    }

    /** Returns the insertion of an order of the first customer. */
    private static String order(String id) {
        return "INSERT INTO orders SELECT " + id + ", 1, now(), 10, 1, 14, 'AIR', now(), 1, 1, 'PENDING'";
    }

    /** @param pause between two looks, which take processor time from the copy */
    private void await(Connection copy, int order, boolean there, Duration pause)
            throws BenchException, SQLException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (holds(copy, order) != there) {
            if (System.nanoTime() - deadline > 0) {
                throw new BenchException("the copy has not applied everything within " + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(pause);
        }
    }

    private boolean holds(Connection copy, int order) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            Connection open = reopened == null ? copy : reopened;
            try {
                return Query.number(open, "SELECT count(*) FROM orders WHERE o_id = " + order) > 0;
            } catch (SQLException e) {
                // A standby that is behind cancels queries, and ends sessions, that may still see what its replay
                // removes.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                close();
                reopened = follower().open(Template.DATABASE);
            }
        }
    }

    @Override
    public void close() {
        Connection open = reopened;
        reopened = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (SQLException gone) {
            // The engine has ended it.
            return;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public List<Figure> figures(Measured measured) {
        return List.copyOf(figures);
    }
}
