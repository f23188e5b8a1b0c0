package io.multimed.endpoint.pg.config;

import java.util.List;

/**
 * The routing rules.
 *
 * @param rules the first one that matches decides
 * @param generation that of the {@code StatementRules} by which statements are classified for them
 */
public record RouteRules(List<RouteRule> rules, int generation) {
    public static final RouteRules NONE = new RouteRules(List.of(), 0);

    public RouteRules {
        rules = List.copyOf(rules);
    }
}
