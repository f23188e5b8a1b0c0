/**
 * The System Model: the Computational Nodes and the part of the machine that each has.
 *
 * <p>Input: a {@link io.multimed.model.topology.Topology} and the user's requests. Output: a
 * {@link io.multimed.model.plan.SystemModel}, a value. Pure: reads no file and no clock; thread-safe.
 */
@NullMarked
package io.multimed.model.plan;

import org.jspecify.annotations.NullMarked;
