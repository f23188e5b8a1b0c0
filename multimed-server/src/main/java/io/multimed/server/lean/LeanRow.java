package io.multimed.server.lean;

import java.util.List;

/**
 * One index in a proposal.
 *
 * @param advice what can be done with it
 * @param because the reason, in a few words; may be empty
 * @param bytes its size on the Master
 * @param scans on the Master since its statistics began
 * @param writes to its table that every index has to follow, since then
 * @param satellites that carry its table
 */
public record LeanRow(
        Advice advice,
        String because,
        String database,
        String table,
        String index,
        long bytes,
        long scans,
        long writes,
        List<String> satellites) {
    /** The actions that are possible for an index. */
    public enum Advice {
        /** It has been moved; {@code --undo} brings it back. */
        MOVED,
        /** A move, or the way back, was interrupted; {@code --apply} or {@code --undo} completes it. */
        INTERRUPTED,
        /** Reads alone need it, and not on the Master; {@code --apply} moves it. */
        MOVE,
        /** It can be moved, but the Master has a use for it; {@code --apply} moves it if it is named. */
        ASK,
        /** No partial Satellite carries its table. */
        NOWHERE,
        /** The Master needs it. */
        STAYS,
        /** It is left from an interrupted command of somebody's, and answers nothing. */
        INVALID
    }

    public LeanRow {
        satellites = List.copyOf(satellites);
    }
}
