package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.session.block.AutocommitRead;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import io.multimed.endpoint.pg.session.reads.ReadCosts;
import io.multimed.endpoint.pg.session.settings.ChosenSettings;
import io.multimed.model.Freshness;
import io.multimed.sql.Isolation;
import io.multimed.sql.ReadEvidence;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells where a unit would be executed now, on which evidence, and why other nodes could not execute it. It asks the rules and the
 * Dispatcher that place units, and follows the steps of {@link Routing}; it places nothing. For sessions that await no reply.
 */
public final class PlacementExplanation {
    private final Nodes nodes;
    private final NodeStates states;
    private final long patienceNanos;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final AutocommitRead own;
    private final ChosenSettings chosen;
    private final Unit unit;
    private final Admission admission;
    private final AccessRules rules;
    private final Steering steering;

    /**
     * Creates the explanation for a session.
     *
     * @param states of the nodes' life cycles
     * @param patienceNanos longest time for which a read waits for a Satellite
     */
    public PlacementExplanation(
            Nodes nodes,
            NodeStates states,
            long patienceNanos,
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            AutocommitRead own,
            ChosenSettings chosen,
            Unit unit,
            AccessRules rules,
            Steering steering) {
        this.nodes = nodes;
        this.states = states;
        this.patienceNanos = patienceNanos;
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.own = own;
        this.chosen = chosen;
        this.unit = unit;
        admission = unit.admission();
        this.rules = rules;
        this.steering = steering;
    }

    /** The destination of a unit, and the reasons for it. */
    private record Destination(@Nullable ComputationalNode node, String text, List<String> because) {
        Destination(@Nullable ComputationalNode node, String text, String because) {
            this(node, text, because.isEmpty() ? List.of() : List.of(because));
        }
    }

    /**
     * Explains one statement.
     *
     * @param statement as it is classified
     * @param evidence on the nodes that hold it
     * @param bytes length of the unit
     */
    public List<String> of(Statement statement, ReadEvidence evidence, int bytes) {
        List<Statement> statements = List.of(statement);
        boolean suitsOwn = statement instanceof Statement.Read && own.suits(statements);
        Access access = suitsOwn ? Access.READ : rules.of(statements);
        ReadCosts.Expectation cost = unit.expectation(statements, bytes);
        ReadNeeds needs = new ReadNeeds();
        ReadRule rule = access.isRead() && admission.needsMatter() ? steering.ruleOfUnit(statements) : null;
        unit.setNeeds(needs, statements, cost, rules.holders(statements, suitsOwn, rule));
        if (rule != null) {
            needs.sentTo(rule.destination());
            access = rule.isToMaster() ? Access.RULE : access;
        }
        Destination destination = destination(access, needs, rule);

        List<String> lines = new ArrayList<>();
        lines.add("Runs on  " + destination.text());
        List<String> because = new ArrayList<>(destination.because());
        if (statement instanceof Statement.Read && access.isRead()) {
            because.addFirst("a read: no effect found"
                    + (evidence.relations().isEmpty() ? "" : "; reads " + String.join(", ", evidence.relations())));
        }
        for (String each : because) {
            lines.add("Because  " + each);
        }
        if (rule != null) {
            lines.add("Rule     " + rule.name() + " sends it to " + rule.rule().to());
        }
        if (block.isOpen()) {
            lines.add("Block    " + describeBlock());
        }
        if (statement instanceof Statement.Read) {
            lines.add("Length   " + describe(cost));
        }
        lines.add("Nodes");
        nodes(lines, access, statement, evidence, needs, destination.node());
        return lines;
    }

    // --- the destination

    private Destination destination(Access access, ReadNeeds needs, @Nullable ReadRule rule) {
        if (!exchange.isBound() || exchange.isOwnTransaction()) {
            return unbound(access, needs, rule);
        }
        if (exchange.onMaster()) {
            String why = block.isOpen() ? "its transaction block is there" : Reason.PINNED.text();
            return new Destination(
                    nodes.master(),
                    "master",
                    access.isRead() || access.equals(Access.CHOSEN)
                            ? List.of(why)
                            : List.of(why, text(access.masterReason(), access.because())));
        }
        ComputationalNode node = exchange.bound().node();
        if (!block.isOpen()) {
            return access.isRead() && admission.isCovered(node, needs) ? here(node, "") : unbound(access, needs, rule);
        }
        if (!access.isRead()) {
            return moved(node, text(access.masterReason(), access.because()));
        }
        if (admission.needsMatter() && !needs.areHeldBy(node)) {
            return moved(node, Access.NOT_HELD.because());
        }
        return here(node, "its transaction block is there");
    }

    private Destination unbound(Access access, ReadNeeds needs, @Nullable ReadRule rule) {
        Reason reason = access.masterReason();
        if (reason != null) {
            return new Destination(nodes.master(), "master", text(reason, access.because()));
        }
        if (deferred.needsMaster()) {
            return new Destination(nodes.master(), "master", "its transaction block has left a satellite");
        }
        return switch (admission.wouldPlace(needs)) {
            case Placement.OnSatellite(var node) -> here(node, "");
            case Placement.AwaitFreshness(long required) ->
                new Destination(
                        null,
                        "the first satellite that applies " + scn(required) + "; after "
                                + TimeUnit.NANOSECONDS.toMillis(patienceNanos)
                                + (needs.areIndexedInPart() ? " ms, any other, else the master" : " ms, the master"),
                        needs.areIndexedInPart()
                                ? "no satellite with its indexes has applied that yet"
                                : "no satellite that can answer it has applied that yet");
            case Placement.OnMaster(Reason why) -> {
                String because = why == Reason.NO_SATELLITE && isAnyServing()
                        ? "no serving satellite can answer it"
                        : why.text();
                yield rule != null && RuleFallback.keepsFromMaster(rule)
                        ? new Destination(null, "no node now: its rule keeps it from the master", because)
                        : new Destination(nodes.master(), "master", because);
            }
        };
    }

    private boolean isAnyServing() {
        return nodes.satellites().stream().anyMatch(ComputationalNode::serving);
    }

    private Destination here(ComputationalNode node, String because) {
        return new Destination(
                node,
                node.id().name() + " (" + kind(node) + "), " + freshness() + ": applied " + scn(node.applied())
                        + " >= required " + scn(admission.required()),
                because);
    }

    /** Describes a unit that its Satellite cannot execute. */
    private Destination moved(ComputationalNode from, String because) {
        return block.isMovable()
                ? new Destination(
                        nodes.master(),
                        "master",
                        List.of(
                                because,
                                "its transaction block has begun on "
                                        + from.id().name() + " and moves, which the client does not notice"))
                : new Destination(
                        null,
                        "no node: it is refused",
                        List.of(
                                because,
                                "its transaction block is bound to " + from.id().name()
                                        + " by its snapshot, cursors or savepoints"));
    }

    private String freshness() {
        return switch (chosen.freshness().chosen()) {
            case Freshness.Strong ignored -> "fresh";
            case Freshness.Session ignored -> "as fresh as the session needs";
            case Freshness.Eventual eventual -> "at most " + eventual.maxLag().toMillis() + " ms old";
        };
    }

    private static String kind(ComputationalNode node) {
        return node.contents().isWhole() ? "satellite" : "partial satellite";
    }

    private static String text(@Nullable Reason reason, String because) {
        if (reason == null || reason.text().equals(because)) {
            return because;
        }
        return because.isEmpty() ? reason.text() : reason.text() + ": " + because;
    }

    // --- the block

    private String describeBlock() {
        String characteristics = (block.isReadOnly() ? "READ ONLY, " : "READ WRITE, ")
                + block.isolation().sql();
        if (!exchange.isBound() || exchange.isOwnTransaction()) {
            return characteristics + ", on no node yet";
        }
        String where = characteristics + ", on " + exchange.bound().node().id().name();
        if (exchange.onMaster()) {
            return where;
        }
        return where + (block.isMovable() ? ", can move to the master" : ", cannot move");
    }

    // --- the length

    private static String describe(ReadCosts.Expectation cost) {
        String limit = " (limit " + millis(ReadCosts.LONG_NANOS) + ")";
        return switch (Unit.length(cost)) {
            case LONG ->
                cost.meanNanos() >= ReadCosts.LONG_NANOS
                        ? "long: " + millis(cost.meanNanos()) + " of processor time before" + limit
                        : "long: it has held others up";
            case UNKNOWN ->
                cost.meanNanos() == 0
                        ? "not known: it has yet to be measured on this event loop"
                        : "not known: it is due to be measured again";
            case SHORT ->
                cost.meanNanos() == 0
                        ? "short: taken for short, since it is not measured"
                        : "short: " + millis(cost.meanNanos()) + " of processor time before" + limit;
        };
    }

    private static String millis(long nanos) {
        double millis = nanos / 1e6;
        return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
    }

    // --- the nodes

    private void nodes(
            List<String> lines,
            Access access,
            Statement statement,
            ReadEvidence evidence,
            ReadNeeds needs,
            @Nullable ComputationalNode destination) {
        int width = nodes.master().id().name().length();
        for (ComputationalNode node : nodes.satellites()) {
            width = Math.max(width, node.id().name().length());
        }
        for (ComputationalNode node : nodes.satellites()) {
            lines.add(line(node, width, describe(node, access, statement, evidence, needs)));
        }
        String ofMaster = nodes.master().equals(destination)
                ? "executes it"
                : access.isRead() ? "only if no satellite can" : "the only node that could";
        lines.add(line(nodes.master(), width, ofMaster + ", " + nodes.master().active() + " active"));
    }

    private static String line(ComputationalNode node, int width, String text) {
        String name = node.id().name();
        return "  " + name + " ".repeat(width - name.length() + 2) + text;
    }

    private String describe(
            ComputationalNode node, Access access, Statement statement, ReadEvidence evidence, ReadNeeds needs) {
        List<String> parts = new ArrayList<>();
        boolean isHeld = needs.areHeldBy(node);
        if (!access.isRead()) {
            parts.add("cannot: only the master may execute it");
        } else if (!isHeld) {
            parts.add("cannot: " + whyNotHeld(node, statement, evidence));
        } else if (!needs.allow(node)) {
            parts.add("its rule sends it elsewhere");
        } else if (!needs.areTakenBy(node)) {
            parts.add("does not take it: serves " + described(node.contents().takes()));
        } else if (!node.serving()) {
            parts.add("holds all that it needs");
        } else if (isBoundElsewhere(node)) {
            parts.add("could answer outside this block");
        } else if (admission.isCovered(node, needs)) {
            parts.add(describePreference(node, needs));
        } else {
            parts.add(behind(node));
        }
        long mean = statement instanceof Statement.Read && isHeld ? unit.meanNanosOn(List.of(statement), node) : 0;
        if (mean >= ReadCosts.LONG_NANOS) {
            parts.add(millis(mean) + " of processor time there");
        }
        if (!node.serving()) {
            parts.add("does not serve (" + states.of(node) + ")");
        }
        parts.add(node.active() + " active");
        return String.join(", ", parts);
    }

    private static String described(NodeContents.Takes takes) {
        return takes == NodeContents.Takes.RULES
                ? "what rules send there"
                : takes.name().toLowerCase(Locale.ROOT) + " reads";
    }

    private static String describePreference(ComputationalNode node, ReadNeeds needs) {
        if (!needs.arePreferredBy(node)) {
            return "could answer";
        }
        return "could answer, preferred for its " + (needs.areIndexedInPart() ? "indexes" : "length");
    }

    /** Whether the session's transaction block is on another node. */
    private boolean isBoundElsewhere(ComputationalNode node) {
        return block.isOpen()
                && exchange.isBound()
                && !exchange.isOwnTransaction()
                && !exchange.bound().node().equals(node);
    }

    private String behind(ComputationalNode node) {
        long required = admission.required();
        if (required < 0) {
            return "could answer if its freshness were known";
        }
        return "behind: applied " + scn(node.applied()) + " < required " + scn(required)
                + (node.isOverdue() ? ", and a reader has waited for it in vain" : "");
    }

    private String whyNotHeld(ComputationalNode node, Statement statement, ReadEvidence evidence) {
        String lacks = evidence.because(node.contents().bit());
        if (lacks != null) {
            return lacks;
        }
        boolean oneSnapshot = block.isOpen() && block.isolation().compareTo(Isolation.READ_COMMITTED) > 0;
        if (oneSnapshot) {
            return "a block under " + block.isolation().sql() + " could not move when it reads another table";
        }
        if (statement instanceof Statement.Read read && read.momentary() && block.isOpen()) {
            return "within a block it depends on the moment, so that it could not move";
        }
        return "nothing but reads may run on a part of the tables";
    }

    private static String scn(long scn) {
        return scn < 0 ? "unknown" : String.format(Locale.ROOT, "%X/%X", scn >>> 32, scn & 0xffff_ffffL);
    }
}
