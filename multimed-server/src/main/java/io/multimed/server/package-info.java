/**
 * Assembles one instance of Multimed from its parts, in the order of a start: lock, plan, binaries, Master, relay, endpoint,
 * Satellites; and ends them in the reverse order.
 *
 * <p>Input: a configuration, a directory, requests through the control socket. Output: a serving endpoint, status, metrics.
 * {@link io.multimed.server.Multimed#start} runs on the caller's thread; afterwards the threads of the parts run.
 */
@NullMarked
package io.multimed.server;

import org.jspecify.annotations.NullMarked;
