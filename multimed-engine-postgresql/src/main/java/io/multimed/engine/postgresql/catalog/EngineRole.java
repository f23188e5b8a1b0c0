package io.multimed.engine.postgresql.catalog;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A role as the Master's catalog describes it.
 *
 * @param verifier the stored password, in PostgreSQL's notation of SCRAM-SHA-256 or MD5; null without a password
 * @param validUntil the end of the password's validity; null if it never ends
 * @param connectionLimit -1 for none
 * @param groups the roles that it is a member of, directly or not
 */
public record EngineRole(
        String name,
        @Nullable String verifier,
        boolean canLogin,
        @Nullable Instant validUntil,
        boolean superuser,
        boolean replication,
        int connectionLimit,
        Set<String> groups) {
    public EngineRole {
        groups = Set.copyOf(groups);
    }
}
