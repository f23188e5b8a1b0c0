package io.multimed.engine.postgresql.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionSnapshotTest {
    @Test
    void showsWhatIsNeitherRunningNorInTheFuture() {
        TransactionSnapshot snapshot = TransactionSnapshot.parse("740:748:740,742,745");
        for (int xid : new int[] {3, 739, 741, 743, 744, 746, 747}) {
            assertTrue(snapshot.test(xid), "transaction " + xid);
        }
        for (int xid : new int[] {740, 742, 745, 748, 749, 100_000}) {
            assertFalse(snapshot.test(xid), "transaction " + xid);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // snapshot, 32 bits of the transaction, shown
        "4294967290:4294967300:4294967295, 4294967294, true",
        "4294967290:4294967300:4294967295, 4294967295, false",
        "4294967290:4294967300:4294967295, 3, true",
        "4294967290:4294967300:4294967295, 4, false",
        "4294967290:4294967300:4294967295, 5, false",
        "8589934594:8589934600:, 4294967290, true",
        "8589934594:8589934600:, 7, true",
        "8589934594:8589934600:, 8, false",
        "4294967290:4294967294:, 3, false",
    })
    void keepsItsBearingsWhereThirtyTwoBitsWrap(String text, long transaction, boolean shown) {
        assertEquals(shown, TransactionSnapshot.parse(text).test(transaction));
    }

    @Test
    void takesNumbersOfSixtyFourBitsAsTheyAre() {
        TransactionSnapshot snapshot = TransactionSnapshot.parse("8589934594:8589934600:8589934598");
        assertTrue(snapshot.test(8589934597L));
        assertFalse(snapshot.test(8589934598L));
        assertTrue(snapshot.test(4294967300L));
        assertTrue(snapshot.allFinishedBelow(8589934594L));
        assertFalse(snapshot.allFinishedBelow(8589934595L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1:2", "1:2:3:4", "a:b:", "1:2:x"})
    void refusesWhatIsNoSnapshot(String text) {
        assertThrows(IllegalArgumentException.class, () -> TransactionSnapshot.parse(text));
    }
}
