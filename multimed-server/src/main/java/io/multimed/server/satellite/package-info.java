/**
 * The Satellites of one instance, each with its supervisor, its engine and its worker thread.
 *
 * <p>Input: the plan, events of the relay, ticks of the timer. Output: serving Satellites and their states. The life cycles are
 * part of the core; this package provides threads, engines and a listener.
 */
@NullMarked
package io.multimed.server.satellite;

import org.jspecify.annotations.NullMarked;
