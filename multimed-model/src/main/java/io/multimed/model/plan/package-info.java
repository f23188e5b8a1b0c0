/**
 * The System Model: which Computational Nodes there are, and which part of the machine each has.
 *
 * <p>In: a {@link io.multimed.model.topology.Topology} and what the user asked for. Out: a
 * {@link io.multimed.model.plan.SystemModel}, a value. Pure: reads no file and no clock; any thread.
 */
@NullMarked
package io.multimed.model.plan;

import org.jspecify.annotations.NullMarked;
