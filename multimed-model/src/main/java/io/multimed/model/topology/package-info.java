/**
 * What a machine is made of: packages, dies, cores, hardware threads, NUMA nodes, memory.
 *
 * <p>In: what a reader found on this machine or in a description of another one. Out: the
 * {@link io.multimed.model.topology.Topology} that the planner places nodes on. Immutable values; no thread, no file.
 */
@NullMarked
package io.multimed.model.topology;

import org.jspecify.annotations.NullMarked;
