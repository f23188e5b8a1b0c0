/**
 * How an engine is described that Multimed does not know: {@link io.multimed.jdbc.engine.JdbcEngine} is what an application
 * implements, or whoever ships the engine.
 *
 * <p>In: URLs, connections and errors of the engine. Out: what JDBC does not tell about them. Called by whichever thread
 * connects, reads, commits or applies; each method says which.
 */
@NullMarked
package io.multimed.jdbc.engine;

import org.jspecify.annotations.NullMarked;
