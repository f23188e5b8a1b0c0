package io.multimed.endpoint.pg.session.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The messages that the session has sent to its engine, and the way in which the engine treats the next one: it executes it, takes it
 * as a part of COPY data, or ignores it until a Sync.
 *
 * <p>Source: PostgreSQL's manual, "Extended Query" (after an error messages are ignored until a Sync) and "COPY Operations".
 */
public final class SentMessages {
    private final Replies replies = new Replies();
    private final OutstandingEffects effects = new OutstandingEffects(replies);
    private final CopyIn copyIn = new CopyIn(replies);
    private final NotExecuted notExecuted;
    /** Whether the engine ignores all messages until the next Sync. */
    private boolean ignored;
    /** Whether extended query messages were sent that no Sync has followed. */
    private boolean unsynced;

    SentMessages(NotExecuted notExecuted) {
        this.notExecuted = notExecuted;
    }

    /** Begins anew on another connection. */
    void begin() {
        copyIn.ended();
        ignored = false;
        unsynced = false;
    }

    /**
     * Adds a message.
     *
     * @return whether its reply is expected: the engine neither ignores it nor takes it as a part of COPY data
     */
    boolean add(MessageKind kind, Note note) {
        if (ignored && kind != MessageKind.SYNC) {
            notExecuted.ignored(note);
            return false;
        }
        if (copyIn.isReading()) {
            return false;
        }
        ignored = false;
        unsynced = kind != MessageKind.SYNC && kind != MessageKind.QUERY && kind != MessageKind.FUNCTION_CALL;
        long number = replies.add(kind, note);
        if (!unsynced) {
            effects.unitEnds();
        }
        effects.added(number, note);
        if (note.subject() instanceof Subject.CopiesIn) {
            copyIn.mayBegin(number);
        }
        return true;
    }

    /** Adds the Query message of a plain read to an engine that executes it. */
    void addRead() {
        replies.add(MessageKind.QUERY, Note.CLIENTS);
        effects.unitEnds();
    }

    /**
     * Adds the extended query messages of a plain read, up to its Sync, to an engine that executes them.
     *
     * @param parse for its Parse; null if it has none
     * @param describes whether it describes the portal
     */
    void addRead(@Nullable Note parse, Note bind, boolean describes) {
        if (parse != null) {
            effects.prepares(replies.add(MessageKind.PARSE, parse));
        }
        replies.add(MessageKind.BIND, bind);
        if (describes) {
            replies.add(MessageKind.DESCRIBE, Note.CLIENTS);
        }
        replies.add(MessageKind.EXECUTE, Note.CLIENTS);
        replies.add(MessageKind.SYNC, Note.CLIENTS);
        effects.unitEnds();
    }

    /** The replies that are outstanding. */
    Replies replies() {
        return replies;
    }

    /** The effects of the messages whose replies are outstanding. */
    public OutstandingEffects effects() {
        return effects;
    }

    /** The state of COPY from the client. */
    CopyIn copyIn() {
        return copyIn;
    }

    /** Notes that the engine begins to read COPY data. */
    void copyBegins() {
        unsynced = copyIn.begins(unsynced);
    }

    /** Notes that the engine has failed, which ends COPY from the client. */
    void copyFails(String sqlState) {
        unsynced = copyIn.fails(sqlState, unsynced);
    }

    /**
     * Handles an error among extended query messages: the engine ignores the messages behind it up to a Sync, Query messages too.
     */
    void failUpToSync() {
        ignored = !replies.skipToSync(notExecuted::refused, notExecuted::ignored);
    }

    /** Handles an error among messages that a Sync of Multimed's own or of the client's follows. */
    void skipToSync() {
        replies.skipToSync(notExecuted::refused, notExecuted::ignored);
    }

    /** Handles an entry at the head of {@link #replies} that the engine will not execute. */
    void dropHead() {
        notExecuted.ignored(replies.remove());
    }

    /** Whether the engine ignores all messages until the next Sync. */
    boolean isIgnored() {
        return ignored;
    }

    /** Sets whether the engine ignores all messages until the next Sync. */
    void ignored(boolean ignoring) {
        ignored = ignoring;
    }

    /** Whether extended query messages were sent that no Sync has followed. */
    boolean isUnsynced() {
        return unsynced;
    }

    /** Notes that the client has a transaction block open behind the unit sent last. */
    void unitEndsInBlock() {
        if (!ignored) {
            replies.unitEndsInBlock();
        }
    }
}
