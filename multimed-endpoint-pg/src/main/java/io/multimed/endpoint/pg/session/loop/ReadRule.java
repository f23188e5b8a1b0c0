package io.multimed.endpoint.pg.session.loop;

import io.multimed.core.dispatch.Destination;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.model.Role;
import java.util.concurrent.atomic.LongAdder;

/** A routing rule as the sessions of one loop apply it, with its counters, which any thread may read. */
public final class ReadRule {
    private final RouteRule rule;
    private final Destination destination;
    private final LongAdder sent = new LongAdder();
    private final LongAdder fellBack = new LongAdder();
    private final LongAdder refused = new LongAdder();

    ReadRule(RouteRule rule, Destination destination) {
        this.rule = rule;
        this.destination = destination;
    }

    /** The rule as it was configured. */
    public RouteRule rule() {
        return rule;
    }

    /** The name by which people know it. */
    public String name() {
        return rule.name();
    }

    /** The fate of a read that its nodes cannot answer now. */
    public RouteRule.Otherwise otherwise() {
        return rule.otherwise();
    }

    public Destination destination() {
        return destination;
    }

    /** Whether it sends reads to the Master. */
    public boolean isToMaster() {
        ComputationalNode node = destination.node();
        return node != null && node.role() == Role.MASTER;
    }

    /** Counts a read that was placed on this node. */
    public void placed(ComputationalNode node) {
        // A Satellite to which the rule does not send reads gets none.
        if (node.role() == Role.SATELLITE || isToMaster()) {
            sent.increment();
        } else {
            fellBack.increment();
        }
    }

    /** Counts a read that has failed because the nodes could not answer it. */
    public void refused() {
        refused.increment();
    }

    /** Number of reads that were placed where the rule sends them. */
    public long countSent() {
        return sent.sum();
    }

    /** Number of reads that the Master was given instead. */
    public long countFellBack() {
        return fellBack.sum();
    }

    public long countRefused() {
        return refused.sum();
    }
}
