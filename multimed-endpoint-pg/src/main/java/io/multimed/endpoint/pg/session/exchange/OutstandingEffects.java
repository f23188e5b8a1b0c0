package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.session.settings.Residue;

/**
 * The effects that outstanding messages have on the engine session, if the engine executes them. For each kind of effect the number
 * of the latest entry of {@link Replies} that has it is kept.
 */
public final class OutstandingEffects {
    private final Replies replies;
    /** The latest entry that deallocates prepared statements by SQL. */
    private long deallocating;
    /** The latest entry that deallocates prepared statements in any way. */
    private long decidingNames;
    /** The latest entry that prepares a statement. */
    private long preparing;
    /** The latest preparing entry that a Sync follows. Messages sent now are executed even if that preparation failed. */
    private long preparingBefore;
    /** The latest entry that asks for the residue of a transaction. */
    private long askingForResidue;

    OutstandingEffects(Replies replies) {
        this.replies = replies;
    }

    /** Records an entry that prepares a statement. */
    void prepares(long number) {
        preparing = number;
    }

    /** Records that a unit has ended: the engine executes later messages whatever happens to those before. */
    void unitEnds() {
        preparingBefore = preparing;
    }

    /** Records the entry of this number. */
    void added(long number, Note note) {
        switch (note.subject()) {
            case Deallocations d -> {
                deallocating = number;
                decidingNames = number;
            }
            case Subject.Own own when own.ignored() != Subject.Own.NOTHING -> decidingNames = number;
            case Subject.Closing c -> decidingNames = number;
            case Subject.LentForQuery l -> decidingNames = number;
            case Subject.Preparing p -> preparing = number;
            case Residue r -> askingForResidue = number;
            case null, default -> {}
        }
    }

    /** Whether the engine has been asked for the residue of the last transaction and has not answered yet. */
    public boolean askForResidue() {
        return replies.isOutstanding(askingForResidue);
    }

    /**
     * Whether outstanding messages decide which prepared statements the client has. They deallocate some, unless the engine ignores
     * them.
     */
    public boolean decideNames() {
        return replies.isOutstanding(decidingNames);
    }

    /** Whether outstanding messages deallocate prepared statements by SQL, if they are executed. */
    public boolean deallocate() {
        return replies.isOutstanding(deallocating);
    }

    /**
     * Whether the result of a preparation in an earlier unit is still unknown. If the engine refuses or ignores it, the engine
     * lacks a statement that it is recorded to hold.
     */
    public boolean prepare() {
        return replies.isOutstanding(preparingBefore);
    }
}
