package io.multimed.engine.embedded.h2;

/** A table as write sets name it. The same only if the same object: a change of the catalog makes new ones. */
final class H2Table {
    final String schema;
    final String name;

    H2Table(String schema, String name) {
        this.schema = schema;
        this.name = name;
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
