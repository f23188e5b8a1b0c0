/**
 * Random sequences of protocol messages, played to two servers that must answer alike.
 *
 * <p>In: a seed, or a sequence as text, and two servers. Out: the first difference, and the shortest sequence found that
 * still shows one. The calling thread does everything.
 *
 * <p>A sequence is a list of messages, one a line, in the syntax of {@code io.multimed.testkit.conversation}. A line {@code
 * --} is a pause: the client sends nothing more until it has received what PostgreSQL answers to the messages so far. So a
 * pause without Sync or Flush before it tests what a server sends of its own accord.
 */
@NullMarked
package io.multimed.testkit.sequence;

import org.jspecify.annotations.NullMarked;
