/**
 * Makes one Multimed out of the parts, in the order of a start: lock, plan, binaries, Master, relay, endpoint,
 * Satellites; and takes it apart in the reverse order.
 *
 * <p>In: a configuration, a directory, requests through the control socket. Out: a serving endpoint, status, metrics.
 * {@link io.multimed.server.Multimed#start} runs on the caller's thread; afterwards the threads of the parts run.
 */
@NullMarked
package io.multimed.server;

import org.jspecify.annotations.NullMarked;
