package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.Backend;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The replies that the engine owes on one connection, in order.
 *
 * <p>A ring of kinds with an attachment each. Every entry stands for one message sent (or, {@link Kind#LOCAL}, for a
 * reply that Multimed itself gives at this place).
 */
final class Replies {
    /** What there was before Syncs were dropped, and how many had been added and removed by then. */
    private record Undropped(Kind[] kinds, Note[] notes, int head, int size, long added, long removed) {}

    private @Nullable Undropped undropped;
    private Kind[] kinds = new Kind[16];
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

    /** Whether an engine that answers what it was sent may say so now. */
    boolean expects(byte type) {
        Kind kind = headKind();
        return switch (type) {
            case Backend.READY_FOR_QUERY -> kind == Kind.QUERY || kind == Kind.FUNCTION_CALL || kind == Kind.SYNC;
            case Backend.PARSE_COMPLETE -> kind == Kind.PARSE;
            case Backend.BIND_COMPLETE -> kind == Kind.BIND;
            case Backend.CLOSE_COMPLETE -> kind == Kind.CLOSE;
            case Backend.PARAMETER_DESCRIPTION, Backend.NO_DATA -> kind == Kind.DESCRIBE;
            case Backend.ROW_DESCRIPTION -> kind == Kind.DESCRIBE || kind == Kind.QUERY;
            case Backend.FUNCTION_CALL_RESPONSE -> kind == Kind.FUNCTION_CALL;
            case Backend.PORTAL_SUSPENDED -> kind == Kind.EXECUTE;
            case Backend.DATA_ROW,
                    Backend.COMMAND_COMPLETE,
                    Backend.EMPTY_QUERY_RESPONSE,
                    Backend.COPY_IN_RESPONSE,
                    Backend.COPY_OUT_RESPONSE,
                    Backend.COPY_BOTH_RESPONSE,
                    Backend.COPY_DATA,
                    Backend.COPY_DONE -> kind == Kind.EXECUTE || kind == Kind.QUERY;
            case Backend.ERROR_RESPONSE,
                    Backend.NOTICE_RESPONSE,
                    Backend.NOTIFICATION_RESPONSE,
                    Backend.PARAMETER_STATUS -> true;
            default -> false;
        };
    }

    /** How many ReadyForQuery are among them. */
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

    /** Whether any entry is such. */
    boolean any(Predicate<Note> such) {
        for (int i = 0; i < size; i++) {
            if (such.test(notes[head + i & notes.length - 1])) {
                return true;
            }
        }
        return false;
    }

    /** Whether what the engine answers now, up to the next ReadyForQuery, the client has not asked for. */
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

    /** Whether the entry that {@link #add} gave this number is there, or may be. */
    boolean isOutstanding(long number) {
        return size > 0 && number > removed;
    }

    /** @return the entry's number, greater than those before it */
    long add(Kind kind, Note note) {
        if (size == kinds.length) {
            grow();
        }
        int tail = head + size & kinds.length - 1;
        kinds[tail] = kind;
        notes[tail] = note;
        size++;
        return ++added;
    }

    /** The latest entry is the last of a unit of the client's, behind which its transaction block is open. */
    void unitEndsInBlock() {
        int tail = head + size - 1 & kinds.length - 1;
        if (size > 0 && !notes[tail].internal() && endsUnit(kinds[tail])) {
            notes[tail] = notes[tail].within();
        }
    }

    /** Whether a ReadyForQuery is the reply, or the last of it. */
    static boolean endsUnit(Kind kind) {
        return switch (kind) {
            case QUERY, FUNCTION_CALL, SYNC -> true;
            default -> false;
        };
    }

    @Nullable
    Kind headKind() {
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
        // Of those that were dropped nobody has heard.
        removed = size == 0 ? added : removed + 1;
        return note;
    }

    /**
     * After an error among extended query messages: the engine ignores everything up to Sync, Query messages too.
     *
     * @param refused told of the entry that has failed, after the others
     * @param ignored told of those behind it, the last first, so that what they have done to each other is undone
     * @return whether a Sync was sent already
     */
    boolean skipToSync(Consumer<Note> refused, Consumer<Note> ignored) {
        int skipped = 0;
        while (skipped < size && kinds[head + skipped & kinds.length - 1] != Kind.SYNC) {
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
     * The engine has begun to read COPY data and swallows Sync and Flush that were sent after the head entry.
     *
     * @return whether a Sync was
     */
    boolean dropSyncsBehindHead() {
        Kind[] keptKinds = new Kind[kinds.length];
        Note[] keptNotes = new Note[kinds.length];
        int kept = 0;
        for (int i = 0; i < size; i++) {
            int at = head + i & kinds.length - 1;
            if (i == 0 || kinds[at] != Kind.SYNC) {
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

    /** It has swallowed none, since it has failed before: they are there again, if nothing has been sent or answered since. */
    void restoreSyncs() {
        Undropped before = undropped;
        if (before != null && before.added == added && before.removed == removed) {
            kinds = before.kinds;
            notes = before.notes;
            head = before.head;
            size = before.size;
        }
    }

    /** Those that were dropped are not going to be restored. */
    void forgetSyncs() {
        undropped = null;
    }

    void clear() {
        while (size > 0) {
            remove();
        }
    }

    private void grow() {
        Kind[] moreKinds = new Kind[kinds.length * 2];
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
