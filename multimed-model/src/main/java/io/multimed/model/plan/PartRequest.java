package io.multimed.model.plan;

import io.multimed.model.NodeId;
import java.util.OptionalInt;

/**
 * The user's request for a partial Satellite, which holds a part of the data.
 *
 * @param cores number of physical cores that no other engine uses; if empty, it has cores as the full Satellites have
 */
public record PartRequest(NodeId id, OptionalInt cores) {}
