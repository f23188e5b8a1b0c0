package io.multimed.engine.embedded.hsqldb;

/**
 * A table as write sets name it. The same only if the same object: a change of the catalog makes new ones. HSQLDB's own
 * names will not do, since they change when a table is renamed, and a Satellite may still have to apply what came before.
 */
final class HsqlTable {
    final String schema;
    final String name;

    HsqlTable(String schema, String name) {
        this.schema = schema;
        this.name = name;
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
