package io.multimed.jdbc.sql;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names that must not be read on a Satellite: views that call functions not known to be harmless, functions of users, tables that
 * only the Master has. By name without schema, in upper case, so that a search path does not matter. Compared by identity.
 */
public final class Catalog {
    /** Catalog without names that only the Master can read. */
    public static final Catalog EMPTY = new Catalog(Set.of());

    private final Set<String> masterOnly;

    public Catalog(Set<String> masterOnly) {
        this.masterOnly =
                masterOnly.stream().map(name -> name.toUpperCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    boolean allows(Set<String> identifiers) {
        if (masterOnly.isEmpty()) {
            return true;
        }
        for (String identifier : identifiers) {
            if (masterOnly.contains(identifier)) {
                return false;
            }
        }
        return true;
    }
}
