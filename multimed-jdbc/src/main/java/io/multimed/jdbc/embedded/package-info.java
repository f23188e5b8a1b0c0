/**
 * Sessions on replicas inside this process. They choose a node for each statement and keep the session's settings equal on all
 * nodes.
 *
 * <p>Input: calls of a session. Output: calls on the embedded runtime, {@link io.multimed.engine.embedded.EmbeddedSession}, and on
 * the engines' own connections. Runs in the application's threads.
 */
@NullMarked
package io.multimed.jdbc.embedded;

import org.jspecify.annotations.NullMarked;
