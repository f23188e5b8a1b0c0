package io.multimed.engine.postgresql.writeset;

/**
 * The name of a table, as the catalog has it.
 *
 * @param schema never empty
 */
public record QualifiedName(String schema, String name) {
    /** Returns the name as SQL writes it, quoted. */
    String quoted() {
        return quoted(schema) + "." + quoted(name);
    }

    static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
