package io.multimed.server.lean;

import io.multimed.engine.postgresql.indexes.IndexPlaces;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import io.multimed.engine.postgresql.indexes.SurveyedIndex;
import io.multimed.server.lean.LeanRow.Advice;
import java.util.List;

/** Decides what can be done with an index. Has no state. */
final class LeanAdvice {
    private LeanAdvice() {}

    /** Returns the advice on an index that the Master has and that has not been moved. */
    static LeanRow of(SurveyedIndex surveyed) {
        if (!surveyed.duty().isEmpty()) {
            return row(surveyed, Advice.STAYS, surveyed.duty());
        }
        if (!surveyed.isValid()) {
            return row(surveyed, Advice.INVALID, "left from an interrupted command: REINDEX or DROP it");
        }
        if (surveyed.carriedBy().isEmpty()) {
            return row(surveyed, Advice.NOWHERE, "no partial satellite carries the table");
        }
        if (!surveyed.foreignKey().isEmpty()) {
            return row(
                    surveyed,
                    Advice.ASK,
                    "serves foreign key " + surveyed.foreignKey()
                            + " when referenced rows are deleted or their keys change");
        }
        if (surveyed.scans() > 0) {
            return row(surveyed, Advice.ASK, "the master has used it: UPDATE, DELETE, or reads that run there");
        }
        return row(surveyed, Advice.MOVE, "");
    }

    /** Returns the advice on an index of the file that the Master has, completely or not. */
    static LeanRow ofInterrupted(SurveyedIndex surveyed) {
        return row(surveyed, Advice.INTERRUPTED, "complete it with --apply or --undo");
    }

    /** Returns the advice on an index of the file. */
    static LeanRow ofMoved(MovedIndex index, IndexPlaces.State onMaster, List<String> carriedBy) {
        boolean other = onMaster == IndexPlaces.State.OTHER;
        String because = carriedBy.isEmpty()
                ? "no partial satellite carries the table any more: nobody has it"
                : other ? "on the master something else has its name" : "";
        return new LeanRow(
                Advice.MOVED,
                because,
                index.database(),
                index.schema() + "." + index.table(),
                index.name(),
                0,
                0,
                0,
                carriedBy);
    }

    private static LeanRow row(SurveyedIndex surveyed, Advice advice, String because) {
        return new LeanRow(
                advice,
                because,
                surveyed.index().database(),
                surveyed.index().schema() + "." + surveyed.index().table(),
                surveyed.index().name(),
                surveyed.bytes(),
                surveyed.scans(),
                surveyed.writes(),
                surveyed.carriedBy());
    }
}
