package io.multimed.endpoint.pg.session.loop;

import io.multimed.core.node.ComputationalNode;
import org.jspecify.annotations.Nullable;

/**
 * The activity of a session at one moment.
 *
 * @param state the name of the state in {@code pg_stat_activity}
 * @param node the node whose engine executes something for the session; null if none does
 * @param engineProcess the engine's process that executes it
 */
public record SessionActivity(
        String state, String applicationName, @Nullable ComputationalNode node, int engineProcess) {}
