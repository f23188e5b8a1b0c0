package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.Backend;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The replies that the engine owes on one connection, in order.
 *
 * <p>A ring buffer of kinds, each with an attachment. Every entry stands for one message sent, or in the case of {@link MessageKind#LOCAL}
 * for a reply that Multimed itself gives at this place.
 */
final class Replies {
    /** The state before Syncs were dropped, with the numbers of entries that had been added and removed by then. */
    private record Undropped(MessageKind[] kinds, Note[] notes, int head, int size, long added, long removed) {}

    private @Nullable Undropped undropped;
    private MessageKind[] kinds = new MessageKind[16];
    private Note[] notes = new Note[16];
    private int head;
    private int size;
    private long added;
    private long removed;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    boolean allInternal() {
        for (int i = 0; i < size; i++) {
            if (!notes[head + i & notes.length - 1].internal()) {
                return false;
            }
        }
        return true;
    }

    /** Whether an engine may send a message of this type now, given the messages that it was sent. */
    boolean expects(byte type) {
        MessageKind kind = headKind();
        return switch (type) {
            case Backend.READY_FOR_QUERY ->
                kind == MessageKind.QUERY || kind == MessageKind.FUNCTION_CALL || kind == MessageKind.SYNC;
            case Backend.PARSE_COMPLETE -> kind == MessageKind.PARSE;
            case Backend.BIND_COMPLETE -> kind == MessageKind.BIND;
            case Backend.CLOSE_COMPLETE -> kind == MessageKind.CLOSE;
            case Backend.PARAMETER_DESCRIPTION, Backend.NO_DATA -> kind == MessageKind.DESCRIBE;
            case Backend.ROW_DESCRIPTION -> kind == MessageKind.DESCRIBE || kind == MessageKind.QUERY;
            case Backend.FUNCTION_CALL_RESPONSE -> kind == MessageKind.FUNCTION_CALL;
            case Backend.PORTAL_SUSPENDED -> kind == MessageKind.EXECUTE;
            case Backend.DATA_ROW,
                    Backend.COMMAND_COMPLETE,
                    Backend.EMPTY_QUERY_RESPONSE,
                    Backend.COPY_IN_RESPONSE,
                    Backend.COPY_OUT_RESPONSE,
                    Backend.COPY_BOTH_RESPONSE,
                    Backend.COPY_DATA,
                    Backend.COPY_DONE -> kind == MessageKind.EXECUTE || kind == MessageKind.QUERY;
            case Backend.ERROR_RESPONSE,
                    Backend.NOTICE_RESPONSE,
                    Backend.NOTIFICATION_RESPONSE,
                    Backend.PARAMETER_STATUS -> true;
            default -> false;
        };
    }

    /**
     * Takes a message of the usual reply to a read of the client's.
     *
     * @return false if it is another message, or is not due; then nothing has changed
     */
    boolean takeOfRead(byte type) {
        MessageKind kind = size == 0 ? null : kinds[head];
        boolean ends;
        switch (type) {
            case Backend.DATA_ROW -> {
                return kind == MessageKind.QUERY || kind == MessageKind.EXECUTE;
            }
            case Backend.ROW_DESCRIPTION -> {
                if (kind == MessageKind.QUERY) {
                    return true;
                }
                ends = kind == MessageKind.DESCRIBE;
            }
            case Backend.COMMAND_COMPLETE -> {
                if (kind == MessageKind.QUERY) {
                    return true;
                }
                ends = kind == MessageKind.EXECUTE;
            }
            case Backend.PARSE_COMPLETE -> ends = kind == MessageKind.PARSE;
            case Backend.BIND_COMPLETE -> ends = kind == MessageKind.BIND;
            case Backend.READY_FOR_QUERY -> ends = kind == MessageKind.QUERY || kind == MessageKind.SYNC;
            default -> {
                return false;
            }
        }
        if (ends) {
            notes[head] = Note.CLIENTS;
            head = head + 1 & kinds.length - 1;
            size--;
            removed = size == 0 ? added : removed + 1;
        }
        return ends;
    }

    /** Number of ReadyForQuery messages among the owed replies. */
    int readies() {
        int readies = 0;
        for (int i = 0; i < size; i++) {
            switch (kinds[head + i & kinds.length - 1]) {
                case QUERY, FUNCTION_CALL, SYNC -> readies++;
                default -> {}
            }
        }
        return readies;
    }

    /** Whether any entry matches. */
    boolean any(Predicate<Note> such) {
        for (int i = 0; i < size; i++) {
            if (such.test(notes[head + i & notes.length - 1])) {
                return true;
            }
        }
        return false;
    }

    /** Whether the reply that the engine sends now, up to the next ReadyForQuery, is one for which the client has not asked. */
    boolean isHeadInternal() {
        for (int i = 0; i < size; i++) {
            int at = head + i & kinds.length - 1;
            switch (kinds[at]) {
                case QUERY, FUNCTION_CALL, SYNC -> {
                    return notes[at].internal();
                }
                default -> {}
            }
        }
        return false;
    }

    /** Whether the entry with this number, as {@link #add} returned it, is or may be outstanding. */
    boolean isOutstanding(long number) {
        return size > 0 && number > removed;
    }

    /**
     * Adds an entry.
     *
     * @return the entry's number, greater than all earlier ones
     */
    long add(MessageKind kind, Note note) {
        if (size == kinds.length) {
            grow();
        }
        int tail = head + size & kinds.length - 1;
        kinds[tail] = kind;
        notes[tail] = note;
        size++;
        return ++added;
    }

    /** Marks the latest entry as the last of a unit of the client's, after which a transaction block is open. */
    void unitEndsInBlock() {
        int tail = head + size - 1 & kinds.length - 1;
        if (size > 0 && !notes[tail].internal() && endsUnit(kinds[tail])) {
            notes[tail] = notes[tail].within();
        }
    }

    /** Whether the reply is, or ends with, a ReadyForQuery. */
    static boolean endsUnit(MessageKind kind) {
        return switch (kind) {
            case QUERY, FUNCTION_CALL, SYNC -> true;
            default -> false;
        };
    }

    @Nullable
    MessageKind headKind() {
        return size == 0 ? null : kinds[head];
    }

    Note headNote() {
        return size == 0 ? Note.CLIENTS : notes[head];
    }

    Note remove() {
        Note note = notes[head];
        notes[head] = Note.CLIENTS;
        head = head + 1 & kinds.length - 1;
        size--;
        // Dropped entries have never been answered, so they are counted as removed once the queue is empty.
        removed = size == 0 ? added : removed + 1;
        return note;
    }

    /**
     * Skips entries after an error among extended query messages: the engine ignores everything up to Sync, Query messages too.
     *
     * @param refused called with the entry that has failed, after the others
     * @param ignored called with each entry behind it, the last first, so that their effects on each other are undone in order
     * @return whether a Sync was sent already
     */
    boolean skipToSync(Consumer<Note> refused, Consumer<Note> ignored) {
        int skipped = 0;
        while (skipped < size && kinds[head + skipped & kinds.length - 1] != MessageKind.SYNC) {
            skipped++;
        }
        for (int i = skipped - 1; i > 0; i--) {
            ignored.accept(notes[head + i & notes.length - 1]);
        }
        if (skipped > 0) {
            refused.accept(notes[head]);
        }
        for (int i = 0; i < skipped; i++) {
            remove();
        }
        return size > 0;
    }

    /**
     * Drops the Syncs behind the head entry. The engine has begun to read COPY data and ignores a Sync or Flush that was sent
     * behind it.
     *
     * @return whether there was a Sync
     */
    boolean dropSyncsBehindHead() {
        MessageKind[] keptKinds = new MessageKind[kinds.length];
        Note[] keptNotes = new Note[kinds.length];
        int kept = 0;
        for (int i = 0; i < size; i++) {
            int at = head + i & kinds.length - 1;
            if (i == 0 || kinds[at] != MessageKind.SYNC) {
                keptKinds[kept] = kinds[at];
                keptNotes[kept++] = notes[at];
            }
        }
        if (kept == size) {
            return false;
        }
        undropped = new Undropped(kinds, notes, head, size, added, removed);
        kinds = keptKinds;
        notes = keptNotes;
        head = 0;
        size = kept;
        return true;
    }

    /**
     * Restores the dropped Syncs, unless anything has been sent or answered since. The engine has ignored none of them, since it
     * has failed before.
     */
    void restoreSyncs() {
        Undropped before = undropped;
        if (before != null && before.added == added && before.removed == removed) {
            kinds = before.kinds;
            notes = before.notes;
            head = before.head;
            size = before.size;
        }
    }

    /** Forgets the dropped Syncs, because they will not be restored. */
    void forgetSyncs() {
        undropped = null;
    }

    void clear() {
        while (size > 0) {
            remove();
        }
    }

    private void grow() {
        MessageKind[] moreKinds = new MessageKind[kinds.length * 2];
        Note[] moreNotes = new Note[kinds.length * 2];
        for (int i = 0; i < size; i++) {
            int at = head + i & kinds.length - 1;
            moreKinds[i] = kinds[at];
            moreNotes[i] = notes[at];
        }
        kinds = moreKinds;
        notes = moreNotes;
        head = 0;
    }
}
