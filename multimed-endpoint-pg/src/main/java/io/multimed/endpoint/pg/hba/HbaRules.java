package io.multimed.endpoint.pg.hba;

import io.multimed.endpoint.pg.hba.HbaRule.ClientCertificate;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules in their order, of which the first one that concerns a login decides.
 *
 * @param maps of users of other systems
 */
public record HbaRules(List<HbaRule> rules, List<UserMap> maps) {
    public HbaRules {
        rules = List.copyOf(rules);
        maps = List.copyOf(maps);
    }

    /**
     * Returns rules that the program itself has written.
     *
     * @param text in the format of the file
     */
    public static HbaRules of(String text) {
        try {
            return HbaReader.parse(Path.of("rules"), text, "");
        } catch (HbaMistakesException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Returns the rule that decides; empty if none concerns the login, which is refused then. May block if {@link #asksForNames}. */
    public Optional<HbaRule> find(HbaLogin login) {
        return rules.stream().filter(rule -> rule.concerns(login)).findFirst();
    }

    /** Whether somebody whom another system knows as this user may log in as the role. */
    public boolean permits(HbaRule rule, @Nullable String user, HbaLogin login) {
        String map = rule.options().map();
        if (user == null || user.isEmpty()) {
            return false;
        }
        if (map == null || map.isEmpty()) {
            return user.equals(login.user());
        }
        return maps.stream().anyMatch(line -> line.map().equals(map) && line.permits(user, login));
    }

    /** Whether the roles count that a client's role is a member of. */
    public boolean asksForRoles() {
        return Stream.concat(
                        rules.stream().flatMap(rule -> Stream.concat(rule.databases().stream(), rule.users().stream())),
                        maps.stream().map(UserMap::role))
                .anyMatch(name -> name.kind() == HbaName.Kind.GROUP || name.kind() == HbaName.Kind.SAME_ROLE);
    }

    /** Whether the name of a client's host may count, for which the system has to be asked. */
    public boolean asksForNames() {
        return rules.stream().anyMatch(rule -> rule.address() instanceof HbaAddress.Host);
    }

    /** Returns the first rule that demands a certificate of the client. */
    public Optional<HbaRule> demandingCertificate() {
        return rules.stream()
                .filter(rule -> rule.options().certificate() != ClientCertificate.NONE)
                .findFirst();
    }

    /** Whether other rules say the same. */
    public boolean equalsInText(HbaRules other) {
        // Regular expressions equal each other in their texts only.
        return toString().equals(other.toString());
    }
}
