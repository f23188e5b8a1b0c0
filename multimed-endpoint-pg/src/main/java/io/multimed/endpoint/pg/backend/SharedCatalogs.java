package io.multimed.endpoint.pg.backend;

/**
 * The latest change of roles, databases, and their settings for sessions that an engine session can know if it begins now. An
 * engine reads these catalogs, which all databases share, when a session begins: to decide whether the client may connect, and with
 * which settings. It never reads them again for that session. So clients that connect after a change are not served by engine
 * sessions that began before it.
 *
 * @param scn of the latest change, 0 if none is known
 * @param visible whether the Master shows the change to new connections. It may do so a moment after {@code scn} was received;
 *     a connection opened in that moment does not know the change.
 */
public record SharedCatalogs(long scn, boolean visible) {
    public static final SharedCatalogs UNCHANGED = new SharedCatalogs(0, true);
}
