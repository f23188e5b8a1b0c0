package io.multimed.endpoint.pg.backend;

/**
 * Which changes of what roles and databases set for their sessions (ALTER ROLE … SET, ALTER DATABASE … SET; the catalog
 * pg_db_role_setting) an engine session that begins now can know. Engine sessions read that once, when they begin, so those
 * that began before a change do not serve clients that connect behind it.
 *
 * @param scn of the latest change, 0 if none is known
 * @param visible whether the Master shows it to whoever connects. It may do so a moment after {@code scn} is heard of; what
 *     was opened in that moment knows of nothing.
 */
public record RoleSettings(long scn, boolean visible) {
    public static final RoleSettings NONE_CHANGED = new RoleSettings(0, true);
}
