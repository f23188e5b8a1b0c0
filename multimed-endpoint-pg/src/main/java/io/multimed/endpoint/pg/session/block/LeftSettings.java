package io.multimed.endpoint.pg.session.block;

import io.multimed.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes that SET has made in a transaction block and in the blocks to which it is chained. They serve a session whose
 * Satellite is gone before it has reported the residue.
 */
final class LeftSettings {
    /** Settings that are lists whose elements are quoted like names (GUC_LIST_QUOTE). */
    private static final Set<String> LISTS =
            Set.of("search_path", "temp_tablespaces", "local_preload_libraries", "session_preload_libraries");

    private static final String UNKNOWN = "";

    /**
     * Changes of the open block by name, as {@code set_config} takes them; null stands for the default. An entry under
     * {@link #UNKNOWN} stands for changes that only the engine knows.
     */
    private final Map<String, @Nullable String> open = new HashMap<>(0);

    private final Map<String, @Nullable String> committed = new HashMap<>(0);
    /** Changes that the client knows to be committed. */
    private final Map<String, @Nullable String> answered = new HashMap<>(0);

    /** Forgets all changes, because another block begins or the engine has reported the settings. */
    void clear() {
        open.clear();
        committed.clear();
        answered.clear();
    }

    void set(Statement.Set statement) {
        if (statement.local()) {
            return;
        }
        String value = statement.value();
        String written = statement.valueSql();
        boolean known = statement.sql() != null;
        if (value != null && written != null && LISTS.contains(statement.name())) {
            boolean quoted = written.indexOf('\'') >= 0 || written.indexOf('"') >= 0;
            known &= !quoted || written.indexOf(',') < 0;
            value = quoted ? '"' + value.replace("\"", "\"\"") + '"' : value;
        }
        open.put(known ? statement.name() : UNKNOWN, value);
    }

    /** Undoes the changes since a savepoint. */
    void rollBackTo() {
        if (!open.isEmpty()) {
            open.put(UNKNOWN, null);
        }
    }

    /**
     * Ends the block.
     *
     * @param commits whether it commits
     */
    void end(boolean commits) {
        if (commits) {
            committed.putAll(open);
        }
        open.clear();
    }

    /**
     * Notes that the block has failed.
     *
     * @param drained whether all messages sent have been answered, so that the end of the block was not sent before the failure
     */
    void fail(boolean drained) {
        if (!drained && !committed.isEmpty()) {
            committed.put(UNKNOWN, null);
        }
        open.clear();
    }

    /** Notes that all messages sent have been answered. */
    void answered() {
        if (!committed.isEmpty()) {
            answered.putAll(committed);
            committed.clear();
        }
    }

    /** The changes that are committed as far as the client knows; null if only the engine knows them. */
    @Nullable
    Map<String, @Nullable String> known() {
        return answered.containsKey(UNKNOWN) ? null : answered;
    }
}
