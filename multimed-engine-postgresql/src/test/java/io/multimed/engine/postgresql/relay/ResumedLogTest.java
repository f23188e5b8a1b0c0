package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResumedLogTest {
    private static final int SEGMENT = 1 << 20;
    /** Position of the first segment; the log before it is the checkpoint's. */
    private static final long FIRST = 7L * SEGMENT;

    private static final int TIMELINE = 1;

    private Path temp;
    private Path satellite;
    private Path master;
    private EngineUser user;
    private final byte[][] log = new byte[4][SEGMENT];

    @BeforeEach
    void bothHaveTheSameLog() throws Exception {
        temp = TestEngines.directory();
        user = TestEngines.user();
        user.own(temp);
        satellite = temp.resolve("satellite");
        master = temp.resolve("master");
        Random random = new Random(1);
        for (int i = 0; i < log.length; i++) {
            random.nextBytes(log[i]);
            write(satellite, i, log[i]);
            write(master, i, log[i]);
        }
        control(satellite, FIRST + 100, FIRST + 3L * SEGMENT + 500, 0, TIMELINE);
        control(master, FIRST + 2L * SEGMENT, 0, 0, TIMELINE);
    }

    @AfterEach
    void delete() throws Exception {
        TestEngines.delete(temp);
    }

    @Test
    void logThatTheMasterHasTooIsKept() throws Exception {
        ResumedLog.reconcile(satellite, master, user);
        for (int i = 0; i < log.length; i++) {
            assertArrayEquals(log[i], Files.readAllBytes(file(satellite, i)), "segment " + i);
        }
    }

    @Test
    void whatDiffersBehindAllThatDataComesFromIsCutOff() throws Exception {
        control(satellite, FIRST + 100, FIRST + SEGMENT + 700, 0, TIMELINE);
        byte[] other = log[1].clone();
        other[700]++;
        write(master, 1, other);
        ResumedLog.reconcile(satellite, master, user);
        byte[] rest = Files.readAllBytes(file(satellite, 1));
        assertArrayEquals(Arrays.copyOf(log[1], 700), Arrays.copyOf(rest, 700));
        assertArrayEquals(new byte[SEGMENT - 700], Arrays.copyOfRange(rest, 700, SEGMENT));
        assertFalse(Files.exists(file(satellite, 2)));
        assertFalse(Files.exists(file(satellite, 3)));
        assertArrayEquals(log[0], Files.readAllBytes(file(satellite, 0)));
    }

    @Test
    void oneByteThatDataMayComeFromIsEnoughToRefuse() throws Exception {
        byte[] other = log[3].clone();
        other[499]++;
        write(master, 3, other);
        assertTrue(refusal().contains("from 0/A001F3 on the Master has another one"), refusal());
        assertArrayEquals(log[3], Files.readAllBytes(file(satellite, 3)), "nothing is cut");
    }

    @Test
    void aMasterWhoseLogEndsEarlierIsRefused() throws Exception {
        Files.delete(file(master, 3));
        assertTrue(refusal().contains("from 0/A00000 on"), refusal());
    }

    @Test
    void whatTheMasterHasNoMoreNeedNotBeCompared() throws Exception {
        Files.delete(file(master, 0));
        Files.delete(file(master, 1));
        ResumedLog.reconcile(satellite, master, user);
    }

    @Test
    void tooLittleToCompareIsRefused() throws Exception {
        for (int i = 0; i < 3; i++) {
            Files.delete(file(master, i));
        }
        control(satellite, FIRST + 100, FIRST + 3L * SEGMENT, 0, TIMELINE);
        byte[] other = log[3].clone();
        other[9000]++;
        write(master, 3, other);
        assertEquals("The Master has not kept enough log to compare it with.", refusal());
        for (int i = 0; i < log.length; i++) {
            Files.deleteIfExists(file(satellite, i));
        }
        assertEquals("The Master has not kept enough log to compare it with.", refusal());
    }

    @Test
    void dataThatMayBeNewerThanItsLogIsRefused() throws Exception {
        control(satellite, FIRST + 100, FIRST + 200, FIRST, TIMELINE);
        assertEquals("It had not reached the end of its copy.", refusal());
        control(satellite, FIRST + 100, 0, 0, 0);
        assertEquals("It had not reached the end of its copy.", refusal());
        control(satellite, FIRST + 100, FIRST + 200, 0, TIMELINE);
        Files.writeString(satellite.resolve("backup_label"), "");
        assertEquals("It has not been started since it was copied.", refusal());
    }

    @Test
    void anotherTimelineIsRefused() throws Exception {
        control(master, FIRST + 2L * SEGMENT, 0, 0, 2);
        assertEquals("It is on timeline 1, the Master on 2.", refusal());
    }

    private String refusal() {
        return assertThrows(EngineException.class, () -> ResumedLog.reconcile(satellite, master, user))
                .getMessage();
    }

    private void write(Path data, int segment, byte[] content) throws IOException {
        write(file(data, segment), content);
    }

    /** Writes a file as the engines' user. */
    private void write(Path file, byte[] content) throws IOException {
        user.files(() -> Files.createDirectories(file.getParent()));
        user.files(() -> Files.write(file, content));
    }

    private static Path file(Path data, int segment) {
        return data.resolve("pg_wal")
                .resolve(SegmentFiles.fileName(TIMELINE, SEGMENT, FIRST + (long) segment * SEGMENT));
    }

    private void control(Path data, long redo, long minRecovery, long backupStart, int timeline) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(ControlFile.USED).order(ByteOrder.LITTLE_ENDIAN);
        content.putLong(ControlFile.REDO, redo)
                .putInt(ControlFile.TIMELINE, timeline)
                .putLong(ControlFile.MIN_RECOVERY, minRecovery)
                .putInt(ControlFile.MIN_RECOVERY_TIMELINE, minRecovery == 0 ? 0 : timeline)
                .putLong(ControlFile.BACKUP_START, backupStart)
                .putInt(ControlFile.SEGMENT_SIZE, SEGMENT);
        write(ControlFile.path(data), content.array());
    }
}
