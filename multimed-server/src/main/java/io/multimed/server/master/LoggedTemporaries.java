package io.multimed.server.master;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects.Kind;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The temporary objects of one database that the log has shown being created. An object stays in its schema if that is a
 * temporary one, so whatever is changed of these objects later concerns no other session, and nobody has to look it up.
 *
 * <p>Guarded by its owner's lock.
 */
final class LoggedTemporaries {
    /** A bound for each kind. The oldest are forgotten first: when these change, they are looked up. */
    private static final int MOST = 5_000;

    private Set<Integer> schemas = Set.of();
    private final Map<Kind, LinkedHashSet<Integer>> objects = new EnumMap<>(Kind.class);

    /** These schemas hold nothing but temporary objects. */
    void schemas(Set<Integer> oids) {
        if (!oids.containsAll(schemas)) {
            forgetObjects();
        }
        schemas = oids;
    }

    void inserted(InsertedObjects.Row row) {
        if (schemas.contains(row.schema())) {
            LinkedHashSet<Integer> known = of(row.kind());
            known.add(row.oid());
            if (known.size() > MOST) {
                known.removeFirst();
            }
        }
    }

    /** The part of the changes that may concern other sessions. */
    ChangedObjects withoutThese(ChangedObjects changed) {
        if (changed.namespaces().stream().anyMatch(schemas::contains)) {
            forget();
        }
        return changed.without(of(Kind.RELATION), of(Kind.TYPE), of(Kind.CONSTRAINT));
    }

    private LinkedHashSet<Integer> of(Kind kind) {
        return objects.computeIfAbsent(kind, one -> new LinkedHashSet<>());
    }

    void forget() {
        schemas = Set.of();
        forgetObjects();
    }

    /** New objects may have the OIDs of these. */
    void forgetObjects() {
        objects.values().forEach(Set::clear);
    }
}
