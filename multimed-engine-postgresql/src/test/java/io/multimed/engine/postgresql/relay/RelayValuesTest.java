package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.Messages;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The small pure parts of the Relay. */
class RelayValuesTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void positionsAreWrittenAsPostgresWritesThem() {
        assertEquals("1A/FF000028", Lsn.format(0x1A_FF00_0028L));
        assertEquals(0x1A_FF00_0028L, Lsn.parse("1A/FF000028"));
        assertEquals(0x1A_FF00_0028L, Lsn.parse("1a/ff000028"));
        assertThrows(IllegalArgumentException.class, () -> Lsn.parse("1A"));
        assertThrows(IllegalArgumentException.class, () -> Lsn.parse("1A/"));
        assertThrows(IllegalArgumentException.class, () -> Lsn.parse("1A/123456789"));
    }

    @Test
    void transactionNumbersKeepTheirEpochAcrossAWrap() {
        XidEpoch epoch = new XidEpoch(0x2_FFFF_FFF0L);
        assertEquals(0x2_FFFF_FF00L, epoch.widen(0xFFFF_FF00));
        epoch.seen(5);
        assertEquals(0x3_0000_0005L, epoch.newest());
        assertEquals(0x2_FFFF_FFF0L, epoch.widen(0xFFFF_FFF0));
        epoch.seen(0xFFFF_FFF0);
        assertEquals(0x3_0000_0005L, epoch.newest());
        epoch.seen(0);
        assertEquals(0x3_0000_0005L, epoch.newest());
    }

    @Test
    void anXminIsHeldForABoundedTimeOnly() {
        HeldXmin held = new HeldXmin();
        Feedback wish = new Feedback(100, 90);
        held.wishes(wish);
        assertEquals(wish, held.granted(0, 200, 10 * SECOND));
        held.wishes(wish);
        assertEquals(wish, held.granted(10 * SECOND, 300, 10 * SECOND));
        assertEquals(Feedback.NONE, held.granted(10 * SECOND + 1, 300, 10 * SECOND));
        Feedback next = new Feedback(150, 90);
        held.wishes(next);
        assertEquals(next, held.granted(11 * SECOND, 300, 10 * SECOND));
    }

    @Test
    void anXminThatHoldsNothingBackIsNotCounted() {
        HeldXmin held = new HeldXmin();
        Feedback wish = new Feedback(100, 0);
        held.wishes(wish);
        assertEquals(wish, held.granted(0, 100, 10 * SECOND));
        assertEquals(wish, held.granted(3600 * SECOND, 100, 10 * SECOND));
        assertEquals(wish, held.granted(3601 * SECOND, 101, 10 * SECOND));
        assertEquals(wish, held.granted(3611 * SECOND, 102, 10 * SECOND));
        assertEquals(Feedback.NONE, held.granted(3612 * SECOND, 102, 10 * SECOND));
    }

    @Test
    void theOldestWishWinsAndNoWishIsNone() {
        assertEquals(5, Feedback.older(5, 7));
        assertEquals(7, Feedback.older(0, 7));
        assertEquals(0, Feedback.older(0, 0));
        assertEquals(0, Feedback.xid(0, 3));
        assertEquals(0x3_FFFF_FFFFL, Feedback.xid(-1, 3));
    }

    @Test
    void commandsOfAWalreceiverAreUnderstood() {
        assertEquals(new ReplicationCommand.IdentifySystem(), ReplicationCommand.parse("IDENTIFY_SYSTEM"));
        assertEquals(new ReplicationCommand.TimelineHistory(3), ReplicationCommand.parse("TIMELINE_HISTORY 3"));
        assertEquals(
                new ReplicationCommand.StartReplication(0x1_0000_0028L, 2),
                ReplicationCommand.parse("START_REPLICATION 1/28 TIMELINE 2"));
        assertEquals(
                new ReplicationCommand.StartReplication(0x1_0000_0028L, 0),
                ReplicationCommand.parse("START_REPLICATION SLOT \"a b\" PHYSICAL 1/28;"));
        assertEquals(
                new ReplicationCommand.Show("wal_segment_size"), ReplicationCommand.parse("show wal_segment_size"));
        for (String other : List.of(
                "BASE_BACKUP", "SELECT 1", "START_REPLICATION 1/123456789", "TIMELINE_HISTORY 9999999999", "")) {
            assertEquals(new ReplicationCommand.Unsupported(other), ReplicationCommand.parse(other));
        }
    }

    @Test
    void segmentsAreNamedAsPostgresNamesThem() {
        assertEquals("0000000200000001000000FF", SegmentFiles.fileName(2, 16 << 20, 0x1_FF00_0000L));
        assertEquals("00000002000000010000000F", SegmentFiles.fileName(2, 256 << 20, 0x1_FF00_0000L));
    }

    @Test
    void aStreamMeansTheSameHoweverItIsCut() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            ByteBuffer sent = ByteBuffer.allocate(1 << 16);
            List<Byte> log = new ArrayList<>();
            int keepalives = 0;
            long position = 1000;
            for (int i = random.nextInt(1, 20); i > 0; i--) {
                if (random.nextInt(3) == 0) {
                    Messages.putKeepalive(sent, position, true);
                    keepalives++;
                } else {
                    byte[] payload = new byte[random.nextInt(0, 2000)];
                    random.nextBytes(payload);
                    Messages.putWalHeader(sent, position, position + payload.length, payload.length);
                    sent.put(payload);
                    position += payload.length;
                    for (byte b : payload) {
                        log.add(b);
                    }
                }
            }
            sent.flip();
            Taken taken = new Taken();
            MasterStream stream = new MasterStream(taken);
            ByteBuffer in = ByteBuffer.allocate(256);
            while (sent.hasRemaining()) {
                int length = Math.min(Math.min(sent.remaining(), in.remaining()), random.nextInt(1, 200));
                in.put(sent.slice(sent.position(), length));
                sent.position(sent.position() + length);
                in.flip();
                stream.take(in);
                in.compact();
            }
            assertEquals(log, taken.bytes, "seed " + seed);
            assertEquals(keepalives, taken.keepalives, "seed " + seed);
            assertEquals(0, in.position(), "seed " + seed);
        }
    }

    private static final class Taken implements MasterStream.Sink {
        final List<Byte> bytes = new ArrayList<>();
        int keepalives;

        @Override
        public void log(long position, ByteBuffer piece) {
            assertEquals(1000 + bytes.size(), position);
            while (piece.hasRemaining()) {
                bytes.add(piece.get());
            }
        }

        @Override
        public void keepalive(boolean replyRequested) {
            keepalives++;
        }
    }

    @Test
    void optionsOutOfRangeAreRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThrows(IllegalArgumentException.class, () -> new RelayOptions(100_000, second, second, second));
        assertThrows(
                IllegalArgumentException.class,
                () -> new RelayOptions(RelayOptions.MIN_BUFFER, second, second, second));
        assertThrows(
                IllegalArgumentException.class,
                () -> new RelayOptions(RelayOptions.MIN_BUFFER, Duration.ZERO, second, second));
        assertThrows(
                IllegalArgumentException.class,
                () -> new RelayOptions(
                        RelayOptions.MIN_BUFFER, second, second.multipliedBy(2), Duration.ofSeconds(-1)));
    }
}
