package io.multimed.endpoint.pg.session.loop;

import io.multimed.core.node.ComputationalNode;
import org.jspecify.annotations.Nullable;

/**
 * The activity of a session at a moment.
 *
 * @param state as {@code pg_stat_activity} calls it
 * @param node whose engine executes something for it; null if none does
 * @param engineProcess the engine's process that does so
 */
public record SessionActivity(
        String state, String applicationName, @Nullable ComputationalNode node, int engineProcess) {}
