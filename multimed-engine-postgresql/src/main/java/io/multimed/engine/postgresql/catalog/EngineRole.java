package io.multimed.engine.postgresql.catalog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the Master knows of one role.
 *
 * @param verifier what the role's password is checked against: SCRAM-SHA-256 or MD5, in PostgreSQL's own notation; null
 *     without a password
 * @param validUntil until when the password is valid; null for ever
 * @param connectionLimit -1 for none
 */
public record EngineRole(
        String name,
        @Nullable String verifier,
        boolean canLogin,
        @Nullable Instant validUntil,
        boolean superuser,
        boolean replication,
        int connectionLimit) {}
