package io.multimed.endpoint.pg.session.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.protocol.pg.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RepliesTest {
    private final Replies replies = new Replies();

    @Test
    void keepsTheOrderHoweverManyThereAre() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 50; i++) {
                replies.add(i % 2 == 0 ? MessageKind.PARSE : MessageKind.BIND, new Note(false, i));
            }
            for (int i = 0; i < 50; i++) {
                assertEquals(i % 2 == 0 ? MessageKind.PARSE : MessageKind.BIND, replies.headKind());
                assertEquals(i, replies.remove().subject());
            }
        }
        assertTrue(replies.isEmpty());
        assertNull(replies.headKind());
    }

    /** Generated: a message is taken exactly if it is due, and removes the entry that it ends. */
    @Test
    void usualReplyToAReadIsTakenAsOtherReplies() {
        Random random = new Random(1);
        byte[] types = {
            Backend.PARSE_COMPLETE,
            Backend.BIND_COMPLETE,
            Backend.ROW_DESCRIPTION,
            Backend.DATA_ROW,
            Backend.COMMAND_COMPLETE,
            Backend.READY_FOR_QUERY,
            Backend.ERROR_RESPONSE,
            Backend.NOTICE_RESPONSE,
            Backend.NO_DATA,
            Backend.CLOSE_COMPLETE
        };
        int taken = 0;
        for (int round = 0; round < 10_000; round++) {
            Replies own = new Replies();
            for (MessageKind kind : MessageKind.values()) {
                if (kind != MessageKind.LOCAL && random.nextBoolean()) {
                    own.add(kind, Note.CLIENTS);
                }
            }
            byte type = types[random.nextInt(types.length)];
            MessageKind head = own.headKind();
            int size = own.size();
            boolean isDue = own.expects(type);
            boolean isUsual = own.takeOfRead(type);
            assertTrue(isDue || !isUsual);
            boolean ends = head != MessageKind.QUERY || type == Backend.READY_FOR_QUERY;
            assertEquals(isUsual && type != Backend.DATA_ROW && ends ? size - 1 : size, own.size());
            taken += isUsual ? 1 : 0;
        }
        assertTrue(taken > 1_000, taken + " taken");
    }

    @Test
    void errorSkipsToTheNextSyncAndTellsWhatWasSkippedFromItsEnd() {
        replies.add(MessageKind.PARSE, new Note(false, "refused"));
        replies.add(MessageKind.BIND, new Note(true, "first ignored"));
        replies.add(MessageKind.EXECUTE, new Note(false, "second ignored"));
        replies.add(MessageKind.SYNC, Note.CLIENTS);
        replies.add(MessageKind.EXECUTE, Note.CLIENTS);
        List<String> skipped = new ArrayList<>();
        replies.skipToSync(
                note -> skipped.add("and " + note.subject()), note -> skipped.add(String.valueOf(note.subject())));
        assertEquals(List.of("second ignored", "first ignored", "and refused"), skipped);
        assertEquals(MessageKind.SYNC, replies.headKind());
        assertEquals(2, replies.size());
    }

    @Test
    void copyInTakesTheSyncsSentBehindIt() {
        replies.add(MessageKind.EXECUTE, Note.CLIENTS);
        replies.add(MessageKind.SYNC, Note.CLIENTS);
        assertTrue(replies.dropSyncsBehindHead());
        assertEquals(1, replies.size());
        assertEquals(MessageKind.EXECUTE, replies.headKind());
        assertFalse(replies.dropSyncsBehindHead());
    }

    @Test
    void syncsThatWereNotTakenAreDueAgain() {
        replies.add(MessageKind.QUERY, Note.CLIENTS);
        replies.add(MessageKind.SYNC, Note.CLIENTS);
        assertTrue(replies.dropSyncsBehindHead());
        replies.restoreSyncs();
        assertEquals(2, replies.size());
        replies.remove();
        replies.restoreSyncs();
        assertEquals(MessageKind.SYNC, replies.headKind());
        assertEquals(1, replies.size());
    }

    @Test
    void entryIsOutstandingUntilItIsRemovedWhateverWasDroppedBefore() {
        replies.add(MessageKind.EXECUTE, Note.CLIENTS);
        replies.add(MessageKind.SYNC, Note.CLIENTS);
        replies.dropSyncsBehindHead();
        replies.remove();
        long first = replies.add(MessageKind.CLOSE, Note.CLIENTS);
        long second = replies.add(MessageKind.SYNC, Note.CLIENTS);
        assertTrue(replies.isOutstanding(first));
        replies.remove();
        assertFalse(replies.isOutstanding(first));
        assertTrue(replies.isOutstanding(second));
        replies.remove();
        assertFalse(replies.isOutstanding(second));
    }

    @Test
    void tellsWhetherTheClientWaitsForAnything() {
        replies.add(MessageKind.QUERY, Note.INTERNAL);
        assertTrue(replies.allInternal());
        replies.add(MessageKind.QUERY, Note.CLIENTS);
        assertFalse(replies.allInternal());
    }

    @Test
    void whatAnswersNothingThatWasSentIsNotExpected() {
        assertEquals("", expected(), "nothing is due");
        replies.add(MessageKind.PARSE, Note.CLIENTS);
        replies.add(MessageKind.DESCRIBE, Note.CLIENTS);
        replies.add(MessageKind.BIND, Note.CLIENTS);
        replies.add(MessageKind.EXECUTE, Note.CLIENTS);
        replies.add(MessageKind.CLOSE, Note.CLIENTS);
        replies.add(MessageKind.SYNC, Note.CLIENTS);
        replies.add(MessageKind.QUERY, Note.CLIENTS);
        replies.add(MessageKind.FUNCTION_CALL, Note.CLIENTS);
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
