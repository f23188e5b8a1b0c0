/**
 * The Satellites of one instance, each with its supervisor, its engine and its worker thread.
 *
 * <p>In: the plan, events of the relay, the beat of the timer. Out: serving Satellites and what there is to know of them.
 * Life cycles are the core's; this package gives them threads, engines and a voice.
 */
@NullMarked
package io.multimed.server.satellite;

import org.jspecify.annotations.NullMarked;
