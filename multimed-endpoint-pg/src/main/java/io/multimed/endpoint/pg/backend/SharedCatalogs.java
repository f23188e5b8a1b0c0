package io.multimed.endpoint.pg.backend;

/**
 * Which changes of roles, of databases, and of what these set for their sessions an engine session that begins now can know.
 * An engine asks these catalogs, which all databases share, whether somebody may connect and how the session begins, and
 * never again. So clients that connect behind a change are not served by engine sessions that began before it.
 *
 * @param scn of the latest change, 0 if none is known
 * @param visible whether the Master shows it to whoever connects. It may do so a moment after {@code scn} is heard of; what
 *     was opened in that moment knows of nothing.
 */
public record SharedCatalogs(long scn, boolean visible) {
    public static final SharedCatalogs UNCHANGED = new SharedCatalogs(0, true);
}
