package io.multimed.engine.postgresql.catalog;

import java.util.HashSet;
import java.util.Set;

/**
 * The rows of system catalogs that transactions have changed, as far as their commit records name them. Immutable.
 *
 * <p>Each set holds OIDs of rows of one catalog: {@code pg_class}, {@code pg_type}, {@code pg_constraint} and {@code
 * pg_namespace}.
 *
 * @param others something else in the database may have changed, or more than is listed
 * @param databases {@code pg_database} has changed
 * @param roles {@code pg_authid} has changed
 * @param sessions roles, databases, or the settings with which sessions of theirs begin, have changed
 */
public record ChangedObjects(
        Set<Integer> relations,
        Set<Integer> types,
        Set<Integer> constraints,
        Set<Integer> namespaces,
        boolean others,
        boolean databases,
        boolean roles,
        boolean sessions) {
    /** No changes. */
    public static final ChangedObjects NONE = new Builder().build();

    /** Most objects that are kept for one database: looking up more takes as long as reading everything. */
    private static final int MOST = 2_000;

    public ChangedObjects {
        relations = Set.copyOf(relations);
        types = Set.copyOf(types);
        constraints = Set.copyOf(constraints);
        namespaces = Set.copyOf(namespaces);
    }

    /** Whether the schema of the database in which the transaction ran may have changed. */
    public boolean concernsSchema() {
        return others || size() > 0;
    }

    private int size() {
        return relations.size() + types.size() + constraints.size() + namespaces.size();
    }

    /** Returns these changes without the rows that are known to affect no session. */
    public ChangedObjects without(Set<Integer> ofRelations, Set<Integer> ofTypes, Set<Integer> ofConstraints) {
        return new ChangedObjects(
                difference(relations, ofRelations),
                difference(types, ofTypes),
                difference(constraints, ofConstraints),
                namespaces,
                others,
                databases,
                roles,
                sessions);
    }

    private static Set<Integer> difference(Set<Integer> all, Set<Integer> without) {
        Set<Integer> rest = new HashSet<>(all);
        rest.removeIf(without::contains);
        return rest;
    }

    /** Returns the changes of both. */
    public ChangedObjects and(ChangedObjects later) {
        if (equals(NONE)) {
            return later;
        }
        Builder both = new Builder();
        both.add(this);
        both.add(later);
        return both.build();
    }

    /** Collects the objects that a commit record names. One thread. */
    public static final class Builder {
        private final Set<Integer> relations = new HashSet<>();
        private final Set<Integer> types = new HashSet<>();
        private final Set<Integer> constraints = new HashSet<>();
        private final Set<Integer> namespaces = new HashSet<>();
        private boolean others;
        private boolean databases;
        private boolean roles;
        private boolean sessions;

        public void relation(int oid) {
            relations.add(oid);
        }

        public void type(int oid) {
            types.add(oid);
        }

        public void constraint(int oid) {
            constraints.add(oid);
        }

        public void namespace(int oid) {
            namespaces.add(oid);
        }

        public void others() {
            others = true;
        }

        public void databases() {
            databases = true;
        }

        public void roles() {
            roles = true;
        }

        public void sessions() {
            sessions = true;
        }

        /** Whether no row of the database is named so far. */
        public boolean namesNothing() {
            return relations.isEmpty() && types.isEmpty() && constraints.isEmpty() && namespaces.isEmpty();
        }

        private void add(ChangedObjects more) {
            relations.addAll(more.relations);
            types.addAll(more.types);
            constraints.addAll(more.constraints);
            namespaces.addAll(more.namespaces);
            others |= more.others;
            databases |= more.databases;
            roles |= more.roles;
            sessions |= more.sessions;
        }

        public ChangedObjects build() {
            if (others || relations.size() + types.size() + constraints.size() + namespaces.size() > MOST) {
                return new ChangedObjects(Set.of(), Set.of(), Set.of(), Set.of(), true, databases, roles, sessions);
            }
            return new ChangedObjects(relations, types, constraints, namespaces, false, databases, roles, sessions);
        }
    }
}
