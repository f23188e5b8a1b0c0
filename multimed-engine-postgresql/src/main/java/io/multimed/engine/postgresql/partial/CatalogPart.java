package io.multimed.engine.postgresql.partial;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import java.util.EnumSet;
import java.util.Set;

/** A part of the catalogs that is read by one query, since the changes of most commits concern one part alone. */
enum CatalogPart {
    /** Relations that a partial Satellite keeps, types, and their constraints. */
    TABLES,
    /** Functions, operators and everything else in the database that is no relation or type. */
    OTHERS,
    /** Roles, the database itself, settings of both. */
    SHARED;

    /**
     * Returns the parts that a commit may have changed.
     *
     * @param inDatabase whether it ran in the database in question, or may have
     */
    static Set<CatalogPart> changedBy(ChangedObjects objects, boolean inDatabase) {
        Set<CatalogPart> parts = EnumSet.noneOf(CatalogPart.class);
        if (objects.sessions() || objects.roles() || objects.databases()) {
            parts.add(SHARED);
        }
        if (inDatabase && objects.concernsSchema()) {
            parts.add(TABLES);
            // Relations, types and constraints are named by their OIDs; all else is "others", except schemas.
            if (objects.others() || !objects.namespaces().isEmpty()) {
                parts.add(OTHERS);
            }
        }
        return parts;
    }
}
