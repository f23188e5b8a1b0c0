package io.multimed.endpoint.pg.session.block;

import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The information that is needed to begin the block anew.
 *
 * @param deferrable absent: the session's default applies
 * @param chained the characteristics that the block got by AND CHAIN; a failure does not undo them, but undoes those of BEGIN
 *     or SET TRANSACTION; null if the block was not chained
 * @param queried whether it has taken its first snapshot, or may have
 * @param settings the statements by which it has set parameters, each behind a semicolon
 */
public record BlockCourse(
        Isolation isolation,
        boolean readOnly,
        Optional<Boolean> deferrable,
        @Nullable BlockCourse chained,
        boolean queried,
        String settings) {
    public static final BlockCourse NONE = begun(Isolation.READ_COMMITTED, false, Optional.empty());

    static BlockCourse begun(Isolation isolation, boolean readOnly, Optional<Boolean> deferrable) {
        return new BlockCourse(isolation, readOnly, deferrable, null, false, "");
    }

    BlockCourse isQueried() {
        return queried ? this : new BlockCourse(isolation, readOnly, deferrable, chained, true, settings);
    }

    /** The course of a block that is chained to this one. */
    BlockCourse next() {
        return new BlockCourse(isolation, readOnly, deferrable, begun(isolation, readOnly, deferrable), false, "");
    }

    BlockCourse under(Isolation level) {
        return new BlockCourse(level, readOnly, deferrable, chained, queried, settings);
    }

    BlockCourse set(Optional<Isolation> level, Optional<Boolean> isReadOnly, Optional<Boolean> isDeferrable) {
        return new BlockCourse(
                level.orElse(isolation),
                isReadOnly.orElse(readOnly),
                isDeferrable.or(() -> deferrable),
                chained,
                queried,
                settings);
    }

    /**
     * Adds a statement.
     *
     * @param sql a statement that sets a parameter
     */
    BlockCourse with(String sql) {
        return new BlockCourse(isolation, readOnly, deferrable, chained, queried, settings + "; " + sql);
    }

    /** The same course without the parameters that it has set. */
    BlockCourse withoutSettings() {
        return new BlockCourse(isolation, readOnly, deferrable, chained, queried, "");
    }

    /**
     * Returns the SQL that begins the block anew. If the block has taken its first snapshot, the SQL ends with a query, so that
     * statements that must precede any query come too late, as they would have.
     */
    String sql() {
        BlockCourse before = chained;
        String sql;
        if (before == null) {
            sql = new Statement.Begin("BEGIN", Optional.of(isolation), Optional.of(readOnly), deferrable).sql();
        } else {
            sql = before.sql() + "; COMMIT AND CHAIN";
            if (isolation != before.isolation || readOnly != before.readOnly || !deferrable.equals(before.deferrable)) {
                sql += "; " + setTransaction();
            }
        }
        sql += settings;
        return queried ? sql + "; SELECT" : sql;
    }

    private String setTransaction() {
        return new Statement.SetTransaction(Optional.of(isolation), Optional.of(readOnly), deferrable, false).sql();
    }
}
