package io.multimed.endpoint.pg.admin;

/**
 * The role that uses the admin database in a session.
 *
 * @param user name of the role
 * @param seesOthers whether it sees clients of other roles
 */
public record Viewer(String user, boolean seesOthers) {
    boolean sees(String other) {
        return seesOthers || user.equals(other);
    }
}
