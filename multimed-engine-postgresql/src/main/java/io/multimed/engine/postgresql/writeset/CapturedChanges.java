package io.multimed.engine.postgresql.writeset;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The net effect of one transaction, from the messages of its triggers.
 *
 * <p>Triggers do not run in the order in which rows change. PostgreSQL runs those of a statement behind its last row, but those of a
 * statement that a trigger executes behind that statement. So a trigger that changes rows which its own statement has changed is heard in
 * the wrong order. The order of messages is therefore not relied on. Each names the version of the row that it ends, and the one that it
 * makes, by their places ({@code ctid}), which no other row gets before the transaction is over. So a change follows the one that made the
 * version which it ends. Versions that were ended here, and not made here, are rows that are gone; versions that were made here, and not
 * ended, are rows that are there.
 *
 * <p>TRUNCATE is refused while triggers have yet to run, so all before it on a table is before it here, too. Triggers of the application for
 * TRUNCATE may write to the table between the two messages that speak of it. Those before it write to the file that goes, those behind it
 * to a new one. Only a table that the same transaction has emptied before keeps its file; there the two cannot be told apart.
 *
 * <p>Rows that are gone come first, then those that keep their key, then new ones. So no key is there twice at any moment. One thread.
 */
final class CapturedChanges {
    private final Function<String, @Nullable CapturedTable> tables;
    private final Map<String, TableChanges> byToken = new LinkedHashMap<>();

    /** A change of a row, or several in a row's life: {@code old} is the first version's end, {@code row} the last one's beginning. */
    private static final class Version {
        final @Nullable String ended;
        final @Nullable String made;
        final @Nullable Row old;
        final @Nullable Row row;

        Version(@Nullable String ended, @Nullable String made, @Nullable Row old, @Nullable Row row) {
            this.ended = ended;
            this.made = made;
            this.old = old;
            this.row = row;
        }
    }

    private static final class TableChanges {
        final Relation relation;
        final Map<String, Version> making = new LinkedHashMap<>();
        final Map<String, Version> ending = new LinkedHashMap<>();
        final List<Version> versions = new ArrayList<>();
        String file = "";
        /** The file that a TRUNCATE under way empties or replaces; empty if none is under way. */
        String goingFile = "";

        boolean goingFileWritten;
        boolean truncated;

        TableChanges(Relation relation) {
            this.relation = relation;
        }

        void beginTruncate(String present) {
            making.clear();
            ending.clear();
            versions.clear();
            file = "";
            goingFile = present;
            goingFileWritten = false;
        }

        void endTruncate(String present) {
            require(!goingFile.isEmpty(), "an end of TRUNCATE without its beginning");
            require(
                    !goingFileWritten || !goingFile.equals(present),
                    "a table was written by triggers for a TRUNCATE, and emptied in place");
            require(file.isEmpty() || file.equals(present), "a table was rewritten behind a TRUNCATE");
            goingFile = "";
            truncated = true;
        }
    }

    /** @param tables by their tokens; those of others are left out */
    CapturedChanges(Function<String, @Nullable CapturedTable> tables) {
        this.tables = tables;
    }

    /**
     * Takes a message of the transaction; none of a subtransaction that was rolled back.
     *
     * @param from where its words begin, behind the secret
     * @throws MalformedWriteSetException if it cannot follow those before
     */
    void take(byte[] message, int from) {
        int at = from;
        String[] words = new String[5];
        int count = 0;
        int expected = 2;
        while (count < expected) {
            int start = at;
            while (at < message.length && message[at] != ' ') {
                at++;
            }
            words[count] = new String(message, start, at - start, StandardCharsets.US_ASCII);
            at++;
            if (count == 0) {
                expected = switch (words[0]) {
                    case "B", "T" -> 3;
                    case "I", "D" -> 4;
                    case "U" -> 5;
                    default -> throw new MalformedWriteSetException("a message of unknown kind");
                };
            }
            count++;
        }
        CapturedTable table = tables.apply(words[1]);
        if (table == null) {
            return;
        }
        TableChanges changes = byToken.computeIfAbsent(words[1], token -> new TableChanges(table.relation()));
        if (words[0].equals("B")) {
            changes.beginTruncate(words[2]);
            return;
        }
        if (words[0].equals("T")) {
            changes.endTruncate(words[2]);
            return;
        }
        if (changes.goingFile.equals(words[2])) {
            changes.goingFileWritten = true;
            return;
        }
        require(changes.file.isEmpty() || changes.file.equals(words[2]), "a table was rewritten between its changes");
        changes.file = words[2];
        int columns = table.relation().columns().size();
        CompositeText rows = new CompositeText(message, at);
        Version version = switch (words[0]) {
            case "I" -> new Version(null, words[3], null, rows.row(columns));
            case "D" -> new Version(words[3], null, rows.row(columns), null);
            default -> {
                Row old = rows.row(columns);
                yield new Version(words[3], words[4], old, rows.row(columns));
            }
        };
        require(rows.isAtEnd(), "a message has bytes too many");
        add(changes, version);
    }

    private static void add(TableChanges changes, Version version) {
        changes.versions.add(version);
        if (version.made != null) {
            require(changes.making.put(version.made, version) == null, "a version was made twice");
        }
        if (version.ended != null) {
            require(changes.ending.put(version.ended, version) == null, "a version was ended twice");
        }
    }

    /**
     * Returns the changes.
     *
     * @throws MalformedWriteSetException if messages are missing
     */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        byToken.values().forEach(table -> require(table.goingFile.isEmpty(), "a TRUNCATE without its end"));
        List<Relation> emptied = byToken.values().stream()
                .filter(table -> table.truncated)
                .map(table -> table.relation)
                .toList();
        if (!emptied.isEmpty()) {
            // Together, since foreign keys may join them.
            changes.add(new Change.Truncate(emptied, false));
        }
        for (TableChanges table : byToken.values()) {
            List<Change> updates = new ArrayList<>();
            List<Change> inserts = new ArrayList<>();
            // Changes of one row that follow one another may have passed through values that others have now.
            boolean inPlace = table.versions.stream()
                    .noneMatch(version -> version.made != null && table.ending.containsKey(version.made));
            for (Version last : table.versions) {
                if (last.made != null && table.ending.containsKey(last.made)) {
                    continue;
                }
                Row old = first(table, last).old;
                Row row = last.row;
                if (old != null && row != null && inPlace && keepsKey(table.relation, old, row)) {
                    updates.add(new Change.Update(table.relation, null, row));
                    continue;
                }
                if (old != null) {
                    changes.add(new Change.Delete(table.relation, key(table.relation, old)));
                }
                if (row != null) {
                    inserts.add(new Change.Insert(table.relation, row));
                }
            }
            changes.addAll(updates);
            changes.addAll(inserts);
        }
        return changes;
    }

    /** Returns the change of this transaction with which the life of a row here begins. */
    private static Version first(TableChanges table, Version last) {
        Version first = last;
        for (Version before = maker(table, first); before != null; before = maker(table, first)) {
            first = before;
        }
        return first;
    }

    private static @Nullable Version maker(TableChanges table, Version version) {
        return version.ended == null ? null : table.making.get(version.ended);
    }

    /** A table without a key of its own, whose rows are told apart by all their values, has no row that keeps it. */
    private static boolean keepsKey(Relation relation, Row old, Row row) {
        List<Relation.Column> columns = relation.columns();
        if (relation.identity() == 'f' || old.size() != columns.size() || row.size() != columns.size()) {
            return false;
        }
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).key() && !java.util.Arrays.equals(old.bytes(i), row.bytes(i))) {
                return false;
            }
        }
        return true;
    }

    private static Row key(Relation relation, Row old) {
        List<Relation.Column> columns = relation.columns();
        if (relation.identity() == 'f' || old.size() != columns.size()) {
            return old;
        }
        Row.Builder key = new Row.Builder(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).key()) {
                key.copy(i, old);
            }
        }
        return key.build();
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new MalformedWriteSetException(otherwise);
        }
    }
}
