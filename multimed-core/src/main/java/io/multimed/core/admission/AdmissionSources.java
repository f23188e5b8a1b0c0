package io.multimed.core.admission;

import io.multimed.core.dispatch.Placer;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.Floor;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.MasterVisibility;

/** State of the nodes and of the log that decides on admissions. Shared by all sessions; each part is thread-safe. */
public record AdmissionSources(
        Nodes nodes, Floor floor, FloorHistory history, MasterVisibility visibility, Placer placer) {}
