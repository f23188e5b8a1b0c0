package io.multimed.engine.postgresql.writeset;

import java.util.List;

/**
 * A table as the log describes it: the meaning of the values in its changes.
 *
 * @param id its OID on the Master
 * @param identity the replica identity: {@code d}efault, {@code n}othing, {@code f}ull, {@code i}ndex
 * @param columns those that are published, in the order of the values
 */
public record Relation(int id, QualifiedName name, char identity, List<Column> columns) {
    /**
     * A column.
     *
     * @param key whether it belongs to the replica identity
     * @param type its OID on the Master
     */
    public record Column(String name, boolean key, int type) {}

    public Relation {
        columns = List.copyOf(columns);
    }
}
