package io.multimed.server.master;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects.Kind;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;

/**
 * The temporary objects of one database whose creation the log has shown. An object in a temporary schema stays in that schema. So
 * later changes of these objects concern no other session, and need not be looked up.
 *
 * <p>Guarded by its owner's lock.
 */
final class LoggedTemporaries {
    /** Largest number of objects of each kind. The oldest are dropped first; when these change, they are looked up. */
    private static final int MOST = 5_000;

    private Set<Integer> schemas = Set.of();
    private final Map<Kind, SequencedSet<Integer>> objects = new EnumMap<>(Kind.class);

    /** Sets the schemas that contain only temporary objects. */
    void schemas(Set<Integer> oids) {
        if (!oids.containsAll(schemas)) {
            forgetObjects();
        }
        schemas = oids;
    }

    void inserted(InsertedObjects.Row row) {
        if (schemas.contains(row.schema())) {
            SequencedSet<Integer> known = of(row.kind());
            known.add(row.oid());
            if (known.size() > MOST) {
                known.removeFirst();
            }
        }
    }

    /** Returns the part of the changes that may concern other sessions. */
    ChangedObjects withoutThese(ChangedObjects changed) {
        if (changed.namespaces().stream().anyMatch(schemas::contains)) {
            forget();
        }
        return changed.without(of(Kind.RELATION), of(Kind.TYPE), of(Kind.CONSTRAINT));
    }

    private SequencedSet<Integer> of(Kind kind) {
        return objects.computeIfAbsent(kind, one -> new LinkedHashSet<>());
    }

    void forget() {
        schemas = Set.of();
        forgetObjects();
    }

    /** Drops the objects, because new objects may get their OIDs. */
    void forgetObjects() {
        objects.values().forEach(Set::clear);
    }
}
