package io.multimed.endpoint.pg.session.exchange;

import org.jspecify.annotations.Nullable;

/**
 * What else an entry of {@link Replies} means.
 *
 * @param internal the client has not asked for it and must not see the reply
 * @param subject what it is about, of {@link Subject} or the object that is told of the reply; null if that does not matter
 * @param inBlock it is the last of a unit behind which the client has a transaction block open
 */
public record Note(boolean internal, @Nullable Object subject, boolean inBlock) {
    public static final Note CLIENTS = new Note(false, null);
    private static final Note CLIENTS_IN_BLOCK = new Note(false, null, true);
    public static final Note INTERNAL = new Note(true, null);
    /** It is to fail, as {@link Failing#SQL} does. */
    public static final Note INTERNAL_FAILURE = new Note(true, Failing.SQL);

    public Note(boolean internal, @Nullable Object subject) {
        this(internal, subject, false);
    }

    /** The same, of the last of a unit behind which a block is open. */
    Note within() {
        return equals(CLIENTS) ? CLIENTS_IN_BLOCK : new Note(internal, subject, true);
    }

    /** It may be that the engine session does not hold the same named statements as before, or has other settings. */
    boolean concernsOthers() {
        return switch (subject) {
            case null -> internal;
            case Subject.Own ignored -> false;
            case Subject.Renamed ignored -> false;
            case Subject.Described ignored -> false;
            case Subject.Preparing preparing ->
                !preparing.statement().engineName().isEmpty();
            default -> true;
        };
    }
}
