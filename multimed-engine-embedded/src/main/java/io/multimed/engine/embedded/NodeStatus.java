package io.multimed.engine.embedded;

import io.multimed.model.NodeId;
import io.multimed.model.Role;

/**
 * A node at one moment.
 *
 * @param state {@code serving}, {@code rebuilding}, {@code down}
 * @param applied the SCN of the last commit that a read there sees
 * @param lag commits of the Master that it has not applied
 * @param rowsBehind rows changed by those commits
 * @param active transactions running there
 * @param served reads served there since the start
 * @param engines how many it has had; 1 unless it was made anew or replaced
 * @param detail a few words for a person; empty if there are none
 */
public record NodeStatus(
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
