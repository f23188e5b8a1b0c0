package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedNodeStatus;
import java.beans.ConstructorProperties;

/** State of a node at one moment, with getters for JMX: see {@link EmbeddedNodeStatus}. Immutable. */
public final class NodeBean {
    private final String node;
    private final String role;
    private final String state;
    private final long applied;
    private final long lag;
    private final long rowsBehind;
    private final int active;
    private final long served;
    private final int engines;
    private final String detail;

    @ConstructorProperties({
        "node",
        "role",
        "state",
        "applied",
        "lag",
        "rowsBehind",
        "active",
        "served",
        "engines",
        "detail"
    })
    public NodeBean(
            String node,
            String role,
            String state,
            long applied,
            long lag,
            long rowsBehind,
            int active,
            long served,
            int engines,
            String detail) {
        this.node = node;
        this.role = role;
        this.state = state;
        this.applied = applied;
        this.lag = lag;
        this.rowsBehind = rowsBehind;
        this.active = active;
        this.served = served;
        this.engines = engines;
        this.detail = detail;
    }

    static NodeBean of(EmbeddedNodeStatus status) {
        return new NodeBean(
                status.node().name(),
                status.role().name(),
                status.state(),
                status.applied(),
                status.lag(),
                status.rowsBehind(),
                status.active(),
                status.served(),
                status.engines(),
                status.detail());
    }

    public String getNode() {
        return node;
    }

    public String getRole() {
        return role;
    }

    /** Returns {@code serving}, {@code rebuilding} or {@code down}. */
    public String getState() {
        return state;
    }

    /** Returns the SCN of the last commit that a read on this node sees. */
    public long getApplied() {
        return applied;
    }

    /** Returns the number of the Master's commits that it has not applied. */
    public long getLag() {
        return lag;
    }

    /** Returns the number of rows changed by those commits. */
    public long getRowsBehind() {
        return rowsBehind;
    }

    /** Returns the number of transactions running there. */
    public int getActive() {
        return active;
    }

    /** Returns the number of reads served there since the start. */
    public long getServed() {
        return served;
    }

    /** Returns the number of engines that it has had; 1 unless its engine was rebuilt or replaced. */
    public int getEngines() {
        return engines;
    }

    /** Returns a few words for a person; empty if there are none. */
    public String getDetail() {
        return detail;
    }
}
