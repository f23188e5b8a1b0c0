package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.session.loop.Analysis;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** The subject of a {@link Note}, where it decides what the client sees or what has to be undone. */
public final class Subject {
    private Subject() {}

    /**
     * An entry to which the engine responds with an error of its own, in place of which the client is sent another error.
     *
     * @param inFailedBlock the error if the transaction block has failed before
     */
    record Replacement(ErrorFields error, ErrorFields inFailedBlock) {}

    /**
     * A second execution of a portal that has already been executed here, unless the engine has created another in its place.
     *
     * @param again the error if the engine has not
     */
    public record ExecutedBefore(ErrorFields again) {}

    /**
     * An entry like {@link Replacement} in place of a Query, unless the engine reports an error in the client's text.
     *
     * @param before number of characters that Multimed has put before the client's text
     */
    record QueryReplacement(ErrorFields error, int before) {}

    /** A statement that may make the engine read COPY data. */
    public record CopiesIn() {}

    /** The client's name of a prepared statement that the engine knows by another name. */
    public record Renamed(PreparedStatement statement, String clientName) {
        String engineName() {
            return statement.engineName();
        }
    }

    /**
     * The preparation of a statement, which is undone if the engine refuses it.
     *
     * @param before the client's unnamed statement that it replaces, which remains if the engine ignores the message
     * @param heldBefore the statement that the engine holds as its unnamed statement, which may be another and remains likewise
     */
    public record Preparing(
            PreparedStatement statement,
            @Nullable String clientName,
            @Nullable PreparedStatement before,
            @Nullable Object heldBefore) {}

    /** The request to an engine to describe a prepared statement. */
    public interface Question {
        void answered(Analysis analysis);
    }

    /** The description of a prepared statement, for the client or for sessions that prepare it elsewhere later. */
    public record Described(PreparedStatement statement) {}

    /**
     * The closing of a statement, or its lending among messages.
     *
     * @param ignored action to run if the engine refuses the message or ignores it after an error
     */
    public record Closing(Runnable ignored) {}

    /**
     * The lending of a statement among messages for the Query behind. If the engine refuses it, the error becomes the result of the
     * Query. The engine then ignores all messages up to a Sync, including the Query, which ends with the error.
     *
     * @param ignored action to run if the engine refuses the message or ignores it
     */
    public record LentForQuery(Runnable ignored) {}

    /**
     * The lending of a statement for the client's next unit. If the engine refuses it, the error becomes the result of the unit.
     */
    public record Lent() {}

    /**
     * A reply of Multimed's own.
     *
     * @param ignored action to run if the message is ignored after an error
     * @param forEngine whether an engine would have given the same reply to any session
     */
    record Own(byte[] reply, Runnable ignored, boolean forEngine) {
        static final Runnable NOTHING = () -> {};
    }
}
