package io.multimed.mariadb;

import io.multimed.core.counters.AdminTable;
import org.jspecify.annotations.Nullable;

/** Tables about an instance as a whole, which {@code SHOW MULTIMED} shows clients. Any thread. */
@FunctionalInterface
public interface MariaDbTables {
    MariaDbTables NONE = (instance, name) -> null;

    /**
     * Returns a table; null if there is none of this name.
     *
     * @param name in small letters
     */
    @Nullable
    AdminTable table(MariaDbInstance instance, String name);
}
