package io.multimed.engine.embedded.spi;

/**
 * The name of a table in write sets. Names are equal only if they are the same object: a change of the catalog makes new ones. The
 * engines' own names are not suitable, since they change when a table is renamed, and a Satellite may still have to apply earlier
 * changes.
 */
public final class TableName {
    private final String schema;
    private final String name;

    public TableName(String schema, String name) {
        this.schema = schema;
        this.name = name;
    }

    public String schema() {
        return schema;
    }

    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
