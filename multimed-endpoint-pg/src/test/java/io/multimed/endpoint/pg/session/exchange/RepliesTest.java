package io.multimed.endpoint.pg.session.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepliesTest {
    private final Replies replies = new Replies();

    @Test
    void keepsTheOrderHoweverManyThereAre() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 50; i++) {
                replies.add(i % 2 == 0 ? Kind.PARSE : Kind.BIND, new Note(false, i));
            }
            for (int i = 0; i < 50; i++) {
                assertEquals(i % 2 == 0 ? Kind.PARSE : Kind.BIND, replies.headKind());
                assertEquals(i, replies.remove().subject());
            }
        }
        assertTrue(replies.isEmpty());
        assertNull(replies.headKind());
    }

    @Test
    void errorSkipsToTheNextSyncAndTellsWhatWasSkippedFromItsEnd() {
        replies.add(Kind.PARSE, new Note(false, "refused"));
        replies.add(Kind.BIND, new Note(true, "first ignored"));
        replies.add(Kind.EXECUTE, new Note(false, "second ignored"));
        replies.add(Kind.SYNC, Note.CLIENTS);
        replies.add(Kind.EXECUTE, Note.CLIENTS);
        List<String> skipped = new ArrayList<>();
        replies.skipToSync(
                note -> skipped.add("and " + note.subject()), note -> skipped.add(String.valueOf(note.subject())));
        assertEquals(List.of("second ignored", "first ignored", "and refused"), skipped);
        assertEquals(Kind.SYNC, replies.headKind());
        assertEquals(2, replies.size());
    }

    @Test
    void copyInTakesTheSyncsSentBehindIt() {
        replies.add(Kind.EXECUTE, Note.CLIENTS);
        replies.add(Kind.SYNC, Note.CLIENTS);
        assertTrue(replies.dropSyncsBehindHead());
        assertEquals(1, replies.size());
        assertEquals(Kind.EXECUTE, replies.headKind());
        assertFalse(replies.dropSyncsBehindHead());
    }

    @Test
    void syncsThatWereNotTakenAreDueAgain() {
        replies.add(Kind.QUERY, Note.CLIENTS);
        replies.add(Kind.SYNC, Note.CLIENTS);
        assertTrue(replies.dropSyncsBehindHead());
        replies.restoreSyncs();
        assertEquals(2, replies.size());
        replies.remove();
        replies.restoreSyncs();
        assertEquals(Kind.SYNC, replies.headKind());
        assertEquals(1, replies.size());
    }

    @Test
    void entryIsOutstandingUntilItIsRemovedWhateverWasDroppedBefore() {
        replies.add(Kind.EXECUTE, Note.CLIENTS);
        replies.add(Kind.SYNC, Note.CLIENTS);
        replies.dropSyncsBehindHead();
        replies.remove();
        long first = replies.add(Kind.CLOSE, Note.CLIENTS);
        long second = replies.add(Kind.SYNC, Note.CLIENTS);
        assertTrue(replies.isOutstanding(first));
        replies.remove();
        assertFalse(replies.isOutstanding(first));
        assertTrue(replies.isOutstanding(second));
        replies.remove();
        assertFalse(replies.isOutstanding(second));
    }

    @Test
    void tellsWhetherTheClientWaitsForAnything() {
        replies.add(Kind.QUERY, Note.INTERNAL);
        assertTrue(replies.allInternal());
        replies.add(Kind.QUERY, Note.CLIENTS);
        assertFalse(replies.allInternal());
    }

    @Test
    void whatAnswersNothingThatWasSentIsNotExpected() {
        assertEquals("", expected(), "nothing is due");
        replies.add(Kind.PARSE, Note.CLIENTS);
        replies.add(Kind.DESCRIBE, Note.CLIENTS);
        replies.add(Kind.BIND, Note.CLIENTS);
        replies.add(Kind.EXECUTE, Note.CLIENTS);
        replies.add(Kind.CLOSE, Note.CLIENTS);
        replies.add(Kind.SYNC, Note.CLIENTS);
        replies.add(Kind.QUERY, Note.CLIENTS);
        replies.add(Kind.FUNCTION_CALL, Note.CLIENTS);
        for (String due : List.of("1", "Tnt", "2", "CDGHIWcds", "3", "Z", "CDGHITWZcd", "VZ")) {
            assertEquals(due, expected(), () -> String.valueOf(replies.headKind()));
            replies.remove();
        }
    }

    /** Returns the types of messages that are expected now, without those that may come at any time. */
    private String expected() {
        StringBuilder types = new StringBuilder();
        for (char type = 0; type < 128; type++) {
            if ("ENAS".indexOf(type) >= 0) {
                assertTrue(replies.expects((byte) type));
            } else if (replies.expects((byte) type)) {
                types.append(type);
            }
        }
        return types.toString();
    }
}
