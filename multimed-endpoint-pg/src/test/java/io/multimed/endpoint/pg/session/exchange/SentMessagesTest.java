package io.multimed.endpoint.pg.session.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.protocol.pg.SqlState;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SentMessagesTest {
    private final List<String> undone = new ArrayList<>();
    private final SentMessages sent = new SentMessages(new NotExecuted(owner(), () -> null));

    private static ExchangeOwner owner() {
        return (ExchangeOwner) Proxy.newProxyInstance(
                ExchangeOwner.class.getClassLoader(),
                new Class<?>[] {ExchangeOwner.class},
                (self, method, arguments) -> {
                    throw new AssertionError(method + " concerns no message of these tests");
                });
    }

    private Note closing(String name) {
        return new Note(false, new Subject.Closing(() -> undone.add(name)));
    }

    private void addExtended(MessageKind... kinds) {
        for (MessageKind kind : kinds) {
            assertTrue(sent.add(kind, Note.CLIENTS));
        }
    }

    @Test
    void extendedMessagesAreUnsyncedUpToSyncOrQuery() {
        addExtended(MessageKind.PARSE);
        assertTrue(sent.isUnsynced());
        addExtended(MessageKind.SYNC);
        assertFalse(sent.isUnsynced());
        addExtended(MessageKind.BIND, MessageKind.QUERY);
        assertFalse(sent.isUnsynced());
    }

    @Test
    void messagesBehindAnErrorHaveNoEffectUpToTheNextSync() {
        addExtended(MessageKind.PARSE);
        sent.add(MessageKind.CLOSE, closing("sent before the error arrived"));
        sent.failUpToSync();
        assertEquals(List.of("sent before the error arrived"), undone);
        assertTrue(sent.isIgnored());
        assertFalse(sent.add(MessageKind.CLOSE, closing("sent behind the error")));
        assertFalse(sent.add(MessageKind.QUERY, Note.CLIENTS));
        assertEquals(List.of("sent before the error arrived", "sent behind the error"), undone);
        assertTrue(sent.replies().isEmpty());
        assertTrue(sent.add(MessageKind.SYNC, Note.CLIENTS));
        assertFalse(sent.isIgnored());
        assertTrue(sent.add(MessageKind.QUERY, Note.CLIENTS));
    }

    @Test
    void aSyncThatWasSentAlreadyEndsTheIgnoredPart() {
        addExtended(MessageKind.PARSE, MessageKind.BIND, MessageKind.SYNC, MessageKind.QUERY);
        sent.failUpToSync();
        assertFalse(sent.isIgnored());
        assertEquals(MessageKind.SYNC, sent.replies().headKind());
        assertEquals(2, sent.replies().size());
    }

    @Test
    void ignoredMessagesAreUndoneInReverseOrder() {
        addExtended(MessageKind.PARSE);
        sent.add(MessageKind.CLOSE, closing("first"));
        sent.add(MessageKind.CLOSE, closing("second"));
        sent.failUpToSync();
        assertEquals(List.of("second", "first"), undone);
    }

    @Test
    void messagesDuringCopyHaveNoReply() {
        sent.add(MessageKind.QUERY, new Note(false, new Subject.CopiesIn()));
        assertTrue(sent.copyIn().mayBegin());
        sent.copyBegins();
        assertFalse(sent.add(MessageKind.SYNC, Note.CLIENTS));
        assertEquals(1, sent.replies().size());
    }

    @Test
    void syncsBehindACopyAreIgnoredUnlessItFailsWithoutData() {
        addExtended(MessageKind.PARSE, MessageKind.BIND);
        sent.add(MessageKind.EXECUTE, new Note(false, new Subject.CopiesIn()));
        addExtended(MessageKind.SYNC);
        sent.replies().remove();
        sent.replies().remove();
        sent.copyBegins();
        assertEquals(1, sent.replies().size());
        assertTrue(sent.isUnsynced());
        sent.copyFails(SqlState.INSUFFICIENT_PRIVILEGE);
        assertEquals(2, sent.replies().size());
        assertFalse(sent.isUnsynced());
    }

    @Test
    void effectsLastWhileTheirRepliesAreOutstanding() {
        sent.add(MessageKind.CLOSE, closing("a statement"));
        addExtended(MessageKind.SYNC);
        assertTrue(sent.effects().decideNames());
        assertFalse(sent.effects().deallocate());
        sent.replies().remove();
        assertFalse(sent.effects().decideNames());
        sent.add(MessageKind.QUERY, new Note(false, new Deallocations()));
        assertTrue(sent.effects().deallocate());
        assertTrue(sent.effects().decideNames());
    }

    @Test
    void aPreparationIsUncertainForLaterUnitsOnly() {
        sent.addRead(Note.CLIENTS, Note.CLIENTS, true);
        assertTrue(sent.effects().prepare());
        sent.replies().remove();
        assertFalse(sent.effects().prepare());
        assertEquals(4, sent.replies().size());
    }

    @Test
    void anotherConnectionBeginsWithoutMemories() {
        addExtended(MessageKind.PARSE);
        sent.failUpToSync();
        sent.begin();
        assertFalse(sent.isIgnored());
        assertFalse(sent.isUnsynced());
    }
}
