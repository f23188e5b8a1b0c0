package io.multimed.tests.history;

import io.multimed.testkit.history.Commit;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the Master committed, from a logical slot of the test's own.
 *
 * <p>Decoding hands out transactions in the order of their commit records in the log (PostgreSQL manual, 47.2), which is
 * the order that Satellites replay, and nothing of Multimed is involved: the slot is read by a connection to the Master
 * itself. It survives a crash of the Master. It needs {@code wal_level = logical}, which the test sets.
 */
final class MasterOrder {
    private static final String SLOT = "history_order";
    private static final Pattern CHANGE = Pattern.compile(
            "table public\\.(register|entry): (INSERT|UPDATE|DELETE): (?:k\\[integer\\]:(\\d+) v\\[bigint\\]:(\\d+)|id\\[bigint\\]:(\\d+))");

    private MasterOrder() {}

    static void begin(WireSession master) throws IOException {
        master.rows("SELECT pg_create_logical_replication_slot('" + SLOT + "', 'test_decoding')");
    }

    /** All commits since {@link #begin}, and drops the slot. */
    static List<Commit> end(WireSession master) throws IOException {
        List<List<@Nullable String>> rows =
                master.rows("SELECT data FROM pg_logical_slot_get_changes('" + SLOT + "', NULL, NULL)");
        master.rows("SELECT pg_drop_replication_slot('" + SLOT + "')");
        List<Commit> commits = new ArrayList<>();
        Set<Integer> registers = new HashSet<>();
        long id = 0;
        for (List<@Nullable String> row : rows) {
            String line = Objects.requireNonNull(row.getFirst());
            if (line.startsWith("BEGIN")) {
                registers.clear();
                id = 0;
            } else if (line.startsWith("COMMIT")) {
                if (id != 0) {
                    commits.add(new Commit(id, registers));
                }
            } else if (!line.startsWith("message:")) {
                // Triggers that capture changes say with messages what the log says, too.
                Matcher change = CHANGE.matcher(line);
                if (!change.matches()) {
                    throw new IOException("not a change of the workload: " + line);
                }
                long written = Long.parseLong(change.group(4) == null ? change.group(5) : change.group(4));
                if (id != 0 && written != id) {
                    throw new IOException("one transaction wrote " + id + " and " + written);
                }
                id = written;
                if (change.group(3) != null) {
                    registers.add(Integer.valueOf(change.group(3)));
                }
            }
        }
        return commits;
    }
}
