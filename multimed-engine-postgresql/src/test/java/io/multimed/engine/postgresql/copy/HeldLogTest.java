package io.multimed.engine.postgresql.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.cluster.TestMaster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldLogTest {
    private static final String SLOTS =
            "SELECT count(*) FROM pg_replication_slots WHERE slot_name LIKE 'multimed_copy_%'";
    private static final String CHECKPOINT = "SELECT checkpoint_lsn FROM pg_control_checkpoint()";

    private Path temp;
    private TestMaster master;

    @BeforeEach
    void startMaster() throws Exception {
        temp = TestEngines.directory();
        master = TestMaster.start(temp, TestEngines.embedded());
    }

    @AfterEach
    void endMaster() throws Exception {
        master.close();
        TestEngines.delete(temp);
    }

    @Test
    void logIsKeptUntilItIsClosed() throws Exception {
        HeldLog held = held(0);
        assertEquals("1", master.text(SLOTS));
        held.close();
        TestEngines.await("the log is let go", () -> master.text(SLOTS).equals("0"));
    }

    @Test
    void logIsLetGoAndRemovedBeforeItFillsTheDisk() throws Exception {
        String checkpoint = master.text(CHECKPOINT);
        HeldLog held = held(Long.MAX_VALUE);
        TestEngines.await("the log is let go", () -> master.text(SLOTS).equals("0"));
        TestEngines.await("a checkpoint", () -> !master.text(CHECKPOINT).equals(checkpoint));
        held.close();
    }

    private HeldLog held(long room) throws Exception {
        return HeldLog.from(
                master.cluster().address(),
                "postgres",
                master.cluster().dataDirectory().resolve("pg_wal"),
                room);
    }
}
