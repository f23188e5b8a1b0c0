package io.multimed.endpoint.pg.admin;

/**
 * The role that uses the admin database in a session.
 *
 * @param user name of the role
 * @param seesOthers whether it sees clients of other roles
 * @param administers whether it may execute commands that change something
 */
public record Viewer(String user, boolean seesOthers, boolean administers) {
    boolean sees(String other) {
        return seesOthers || user.equals(other);
    }
}
