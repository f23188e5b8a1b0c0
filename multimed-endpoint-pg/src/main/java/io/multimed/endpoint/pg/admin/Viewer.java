package io.multimed.endpoint.pg.admin;

/**
 * The session that asks the admin database.
 *
 * @param user his role
 * @param seesOthers whether he sees clients of other roles
 */
public record Viewer(String user, boolean seesOthers) {
    boolean sees(String other) {
        return seesOthers || user.equals(other);
    }
}
