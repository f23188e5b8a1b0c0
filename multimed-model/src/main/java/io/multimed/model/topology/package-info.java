/**
 * The parts of a machine: packages, dies, cores, hardware threads, NUMA nodes, memory.
 *
 * <p>Input: the data that a reader found on this machine or in a description of another one. Output: the
 * {@link io.multimed.model.topology.Topology} on which the planner places nodes. Immutable values; no threads, no files.
 */
@NullMarked
package io.multimed.model.topology;

import org.jspecify.annotations.NullMarked;
