package io.multimed.engine.embedded;

import io.multimed.model.NodeId;
import io.multimed.model.Role;

/**
 * State of a node at one moment.
 *
 * @param state {@code serving}, {@code rebuilding}, {@code down}
 * @param applied SCN of the last commit that a read on this node sees
 * @param lag number of the Master's commits that it has not applied
 * @param rowsBehind number of rows changed by those commits
 * @param active number of transactions running there
 * @param served number of reads served there since the start
 * @param engines number of engines that it has had; 1 unless its engine was rebuilt or replaced
 * @param detail a few words for a person; empty if there are none
 */
public record EmbeddedNodeStatus(
        NodeId node,
        Role role,
        String state,
        long applied,
        long lag,
        long rowsBehind,
        int active,
        long served,
        int engines,
        String detail) {}
