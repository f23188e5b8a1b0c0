package io.multimed.endpoint.pg.hba;

import java.util.regex.Matcher;

/**
 * A line of {@code pg_ident.conf}: users of another system, and the roles as which they may log in.
 *
 * @param map its name
 * @param system the user's name there, or an expression
 * @param role the role, or what stands for roles; {@code \1} in it is what the expression's first parentheses have found
 */
record UserMap(String map, HbaName system, HbaName role) {
    private static final String FOUND = "\\1";

    boolean permits(String user, HbaLogin login) {
        if (system.pattern() == null) {
            return system.text().equals(user) && role.isUserOf(login);
        }
        Matcher matcher = system.pattern().matcher(user);
        if (!matcher.find()) {
            return false;
        }
        if (role.kind() != HbaName.Kind.NAME || !role.text().contains(FOUND)) {
            return role.isUserOf(login);
        }
        String found = matcher.groupCount() == 0 ? null : matcher.group(1);
        int at = role.text().indexOf(FOUND);
        return found != null
                && login.user()
                        .equals(role.text().substring(0, at)
                                + found
                                + role.text().substring(at + FOUND.length()));
    }
}
