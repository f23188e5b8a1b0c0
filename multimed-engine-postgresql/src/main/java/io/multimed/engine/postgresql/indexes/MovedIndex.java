package io.multimed.engine.postgresql.indexes;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An index that partial Satellites have instead of the Master, with all that it takes to make it again.
 *
 * @param schema of the index and of its table, as the catalog has it
 * @param table name of the table
 * @param name of the index
 * @param definition as {@code pg_get_indexdef} gives it with the search path {@code pg_catalog}
 * @param tablespace on the Master; empty for the database's
 * @param comment on the Master; empty if there was none
 */
public record MovedIndex(
        String database,
        String schema,
        String table,
        String name,
        String definition,
        String tablespace,
        String comment) {
    private static final Pattern BEGINNING = Pattern.compile("CREATE INDEX (\"(?:[^\"]|\"\")+\"|[^\" ]+) ON ");

    public MovedIndex {
        if (!BEGINNING.matcher(definition).lookingAt()) {
            throw new IllegalArgumentException("not the definition of an index that is not unique: " + definition);
        }
    }

    /** Returns the name with its schema, as SQL writes it. */
    public String qualifiedName() {
        return quoted(schema) + "." + quoted(name);
    }

    /** Returns the table's name with its schema, as SQL writes it. */
    public String qualifiedTable() {
        return quoted(schema) + "." + quoted(table);
    }

    /** Returns the definition for an engine that goes on writing to the table meanwhile. */
    String concurrently() {
        return "CREATE INDEX CONCURRENTLY " + definition.substring("CREATE INDEX ".length());
    }

    /** Returns the part of the definition behind the name. */
    String body() {
        return bodyOf(definition);
    }

    /** Returns the part of an index's definition behind its name, by which indexes that do the same are known. */
    static String bodyOf(String definition) {
        Matcher matcher = BEGINNING.matcher(definition);
        return matcher.lookingAt() ? definition.substring(matcher.end()) : "";
    }

    /** Whether a person may mean this index: by its name, with or without its schema. */
    public boolean isCalled(String given) {
        return given.equals(name) || given.equals(schema + "." + name) || given.equals(qualifiedName());
    }

    static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    static String literal(String text) {
        return (text.contains("\\") ? " E'" : "'") + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
