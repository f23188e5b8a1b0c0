package io.multimed.endpoint.pg.session.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.endpoint.pg.config.RouteRules;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.sql.ReadMarks;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which routing rule decides on a read. */
class ReadRulesTest {
    private static final Nodes NODES = new Nodes(
            new ComputationalNode(NodeId.MASTER, Role.MASTER),
            List.of(
                    new ComputationalNode(NodeId.satellite(1), Role.SATELLITE),
                    new ComputationalNode(
                            new NodeId("part"), Role.SATELLITE, NodeContents.part(0, NodeContents.Takes.RULES))));

    private final ReadRules rules = new ReadRules(
            configured(
                    rule("0", "shop", "reports", "", "part"),
                    rule("1", "", "reports", "nightly", "satellites"),
                    rule("2", "", "", "nightly", "satellite-1"),
                    rule("3", "shop", "", "", "master")),
            NODES);

    private static RouteRules configured(RouteRule... rules) {
        return new RouteRules(List.of(rules), 0);
    }

    private static RouteRule rule(String name, String database, String role, String application, String to) {
        return new RouteRule(
                name,
                new RouteRule.Match(List.of(), Optional.empty(), given(database), given(role), given(application)),
                to,
                RouteRule.Otherwise.WAIT);
    }

    private static Optional<String> given(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    @ParameterizedTest(name = "database {0}, role {1}, application {2}, statement {3}, hint {4}: rule {5}")
    @CsvSource(delimiter = '|', textBlock = """
            shop  | reports | nightly | 0 1 2 3 |             | 0
            shop  | reports | nightly | 1 2 3   |             | 1
            shop  | reports | other   | 1 2     |             |
            shop  | clerk   | nightly | 0 1 2 3 |             | 2
            shop  | clerk   | other   | 0 1 2 3 |             | 3
            other | clerk   | other   | 0 1 2 3 |             |
            other | reports | nightly | 0       |             |
            other | reports | nightly | 0 1 2 3 |             | 1
            SHOP  | clerk   | other   | 3       |             |
            shop  | reports | nightly | 0 1 2 3 | master      | hint to master
            shop  | reports | nightly | 0 1 2 3 | part        | hint to part
            shop  | reports | nightly | 0 1 2 3 | satellites  | hint to satellites
            shop  | reports | nightly | 0 1 2 3 | satellite-2 | 0
            other | clerk   | other   | 0       | satellite-2 |
            """)
    void theFirstRuleThatMatchesDecidesUnlessAHintDoes(
            String database,
            String role,
            String application,
            String statement,
            @Nullable String hint,
            @Nullable String expected) {
        long bits = 0;
        for (String bit : statement.split(" ")) {
            bits |= 1L << Integer.parseInt(bit);
        }
        ReadRule rule = rules.of(
                new ReadMarks(bits, hint == null ? "" : hint, 0, "", 0), rules.ofSession(database, role, application));
        String found = rule == null
                ? null
                : rule.name().equals("hint") ? "hint to " + rule.rule().to() : rule.name();
        assertEquals(expected, found);
    }

    @Test
    void countsWhereReadsWent() {
        ReadRule toPart = rules.all().get(0);
        ReadRule toMaster = rules.all().get(3);
        toPart.placed(NODES.satellites().get(1));
        toPart.placed(NODES.master());
        toPart.placed(NODES.master());
        toMaster.placed(NODES.master());
        assertEquals(List.of(1L, 2L, 0L), List.of(toPart.countSent(), toPart.countFellBack(), toPart.countRefused()));
        assertEquals(List.of(1L, 0L), List.of(toMaster.countSent(), toMaster.countFellBack()));
    }

    @Test
    void aHintDoesNotCountWhereNothingElseDecides() {
        Nodes plain = new Nodes(NODES.master(), List.of(NODES.satellites().get(0)));
        assertEquals(List.of(), new ReadRules(RouteRules.NONE, plain).all());
    }

    @Test
    void aRuleForANodeThatThereIsNotIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new ReadRules(configured(rule("0", "", "", "x", "satellite-2")), NODES));
    }
}
