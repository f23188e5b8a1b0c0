package io.multimed.endpoint.pg.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.Replies.Kind;
import io.multimed.endpoint.pg.session.Replies.Note;
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
    void errorSkipsToTheNextSyncAndTellsWhatWasSkipped() {
        replies.add(Kind.PARSE, new Note(false, "first"));
        replies.add(Kind.BIND, new Note(true, "second"));
        replies.add(Kind.SYNC, Note.CLIENTS);
        replies.add(Kind.EXECUTE, Note.CLIENTS);
        List<Object> skipped = new ArrayList<>();
        replies.skipToSync(note -> skipped.add(note.subject()));
        assertEquals(List.of("first", "second"), skipped);
        assertEquals(Kind.SYNC, replies.headKind());
        assertEquals(2, replies.size());
    }

    @Test
    void copyInTakesTheSyncsSentBehindIt() {
        replies.add(Kind.EXECUTE, Note.CLIENTS);
        replies.add(Kind.SYNC, Note.CLIENTS);
        replies.dropSyncsBehindHead();
        assertEquals(1, replies.size());
        assertEquals(Kind.EXECUTE, replies.headKind());
    }

    @Test
    void tellsWhetherTheClientWaitsForAnything() {
        replies.add(Kind.QUERY, Note.INTERNAL);
        assertTrue(replies.allInternal());
        replies.add(Kind.QUERY, Note.CLIENTS);
        assertFalse(replies.allInternal());
    }
}
