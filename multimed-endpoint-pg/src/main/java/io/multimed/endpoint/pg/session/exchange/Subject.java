package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.session.loop.Analysis;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** What a {@link Note} is about, where that decides what the client sees, or what is to be undone. */
public final class Subject {
    private Subject() {}

    /**
     * The engine's answer to this entry is an error of its own; the client is to see another.
     *
     * @param inFailedBlock if the transaction block has failed before
     */
    record Replacement(ErrorFields error, ErrorFields inFailedBlock) {}

    /**
     * A portal is executed that has been executed, here, unless the engine has made another in its place.
     *
     * @param again the error where the engine has not
     */
    public record ExecutedBefore(ErrorFields again) {}

    /**
     * Likewise in place of a Query, unless the engine's answer is an error in the client's text.
     *
     * @param before so many characters of Multimed's precede that text
     */
    record QueryReplacement(ErrorFields error, int before) {}

    /** The engine may be about to read COPY data. */
    public record CopiesIn() {}

    /** The client's name of a prepared statement that the engine knows by another. */
    public record Renamed(PreparedStatement statement, String clientName) {
        String engineName() {
            return statement.engineName();
        }
    }

    /**
     * A statement being prepared; taken back if the engine refuses it.
     *
     * @param before the client's unnamed statement that it replaces, which is there still if the engine ignores it
     * @param heldBefore likewise what the engine holds as its unnamed statement, which may be another
     */
    public record Preparing(
            PreparedStatement statement,
            @Nullable String clientName,
            @Nullable PreparedStatement before,
            @Nullable Object heldBefore) {}

    /** An engine is asked to describe a prepared statement. */
    public interface Question {
        void answered(Analysis analysis);
    }

    /** A prepared statement is described, for the client or for those who prepare it elsewhere later. */
    public record Described(PreparedStatement statement) {}

    /** A statement is closed, or lent amid messages; what to do if the engine ignores that after an error, or refuses it. */
    public record Closing(Runnable ignored) {}

    /**
     * A statement is lent amid messages for the Query behind: if the engine refuses it, that is what the Query comes to, and
     * what the engine ignores up to a Sync, the Query too, ends with it; what to do then, or if it is ignored.
     */
    public record LentForQuery(Runnable ignored) {}

    /** A statement is lent for the client's next unit: if the engine refuses it, that is what the unit comes to. */
    public record Lent() {}

    /**
     * What Multimed itself answers.
     *
     * @param ignored what to do if the message is ignored after an error
     * @param forEngine an engine would have answered the same, to whomever
     */
    record Own(byte[] reply, Runnable ignored, boolean forEngine) {
        static final Runnable NOTHING = () -> {};
    }
}
