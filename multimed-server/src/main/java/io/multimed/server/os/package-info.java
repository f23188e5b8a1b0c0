/**
 * Information of the operating system about this machine.
 *
 * <p>Input: /sys and /proc, below a root that tests replace. Output: a {@link io.multimed.model.topology.Topology} reduced to the
 * part that this process may use, and the amount of memory left. Reads files on the caller's thread.
 */
@NullMarked
package io.multimed.server.os;

import org.jspecify.annotations.NullMarked;
