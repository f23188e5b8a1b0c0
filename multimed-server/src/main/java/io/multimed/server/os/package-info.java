/**
 * What the operating system says about this machine.
 *
 * <p>In: /sys and /proc, below a root that tests replace. Out: a {@link io.multimed.model.topology.Topology} reduced to
 * what this process may use, and how much memory is left. Reads files on the caller's thread.
 */
@NullMarked
package io.multimed.server.os;

import org.jspecify.annotations.NullMarked;
