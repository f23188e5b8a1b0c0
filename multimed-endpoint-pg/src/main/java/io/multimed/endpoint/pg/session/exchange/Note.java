package io.multimed.endpoint.pg.session.exchange;

import org.jspecify.annotations.Nullable;

/**
 * Additional information on an entry of {@link Replies}.
 *
 * @param internal whether the client has not asked for the reply and must not see it
 * @param subject the subject of the message, of {@link Subject}, or the object that receives the reply; null if it does not matter
 * @param inBlock whether it is the last of a unit after which the client has a transaction block open
 */
public record Note(boolean internal, @Nullable Object subject, boolean inBlock) {
    public static final Note CLIENTS = new Note(false, null);
    private static final Note CLIENTS_IN_BLOCK = new Note(false, null, true);
    public static final Note INTERNAL = new Note(true, null);
    /** A message that is meant to fail, as {@link Failing#SQL} does. */
    public static final Note INTERNAL_FAILURE = new Note(true, Failing.SQL);

    public Note(boolean internal, @Nullable Object subject) {
        this(internal, subject, false);
    }

    /** Returns the same note for the last entry of a unit after which a block is open. */
    Note within() {
        return equals(CLIENTS) ? CLIENTS_IN_BLOCK : new Note(internal, subject, true);
    }

    /** Whether the engine session may hold other named statements or other settings after this entry than before. */
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
