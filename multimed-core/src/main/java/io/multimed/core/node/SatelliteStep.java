package io.multimed.core.node;

import java.util.List;

/**
 * The answer of the life cycle to one event.
 *
 * @param state the next state
 * @param history the facts that outlast it
 * @param actions the actions to execute, in this order
 */
record SatelliteStep(SatelliteState state, SatelliteHistory history, List<SatelliteAction> actions) {}
