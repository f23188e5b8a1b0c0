package io.multimed.endpoint.pg.session.loop;

import io.multimed.core.dispatch.Destination;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.endpoint.pg.config.RouteRules;
import io.multimed.sql.ReadMarks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routing rules as the sessions of one loop apply them. A rule is found by two sets of bits: that of the rules that match the
 * statement, which its classification knows, and that of the rules that match the session. The lowest bit in both is the rule.
 */
public final class ReadRules {
    private static final String HINT = "hint";
    private static final RouteRule.Match ANY =
            new RouteRule.Match(List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    private final List<ReadRule> rules = new ArrayList<>();
    /** The rules by which hints are obeyed, by the name of the node that the hint names. */
    private final Map<String, ReadRule> hints = new LinkedHashMap<>();

    private final int generation;

    /** @throws IllegalArgumentException if a rule names a node that there is not */
    public ReadRules(RouteRules configured, Nodes nodes) {
        generation = configured.generation();
        Map<String, Destination> destinations = new LinkedHashMap<>();
        destinations.put(nodes.master().id().name(), new Destination(nodes.master()));
        destinations.put(RouteRule.SATELLITES, Destination.FULL_SATELLITES);
        for (ComputationalNode satellite : nodes.satellites()) {
            destinations.put(satellite.id().name(), new Destination(satellite));
        }
        for (RouteRule rule : configured.rules()) {
            Destination destination = destinations.get(rule.to());
            if (destination == null) {
                throw new IllegalArgumentException(rule.name() + ".to: there is no node " + rule.to());
            }
            rules.add(new ReadRule(rule, destination));
        }
        if (nodes.needsMatter()) {
            destinations.forEach((name, destination) -> hints.put(
                    name, new ReadRule(new RouteRule(HINT, ANY, name, RouteRule.Otherwise.MASTER), destination)));
        }
    }

    /** The generation of the statements' bits by which the rules are found. */
    public int generation() {
        return generation;
    }

    /** All of them in their order; those of hints come last. */
    public List<ReadRule> all() {
        List<ReadRule> all = new ArrayList<>(rules);
        all.addAll(hints.values());
        return all;
    }

    /** Returns the bits of the rules whose conditions about the session hold. */
    public long ofSession(String database, String role, String applicationName) {
        long found = 0;
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).rule().match().isOf(database, role, applicationName)) {
                found |= 1L << i;
            }
        }
        return found;
    }

    /**
     * Returns the rule for a read: that of its hint, or the first one. A hint that names no node is ignored.
     *
     * @param ofSession bits of the rules whose conditions about the session hold
     * @return null if there is none
     */
    public @Nullable ReadRule of(ReadMarks marks, long ofSession) {
        ReadRule hinted = marks.hint().isEmpty() ? null : hints.get(marks.hint());
        long both = marks.rules() & ofSession;
        return hinted != null || both == 0 ? hinted : rules.get(Long.numberOfTrailingZeros(both));
    }
}
