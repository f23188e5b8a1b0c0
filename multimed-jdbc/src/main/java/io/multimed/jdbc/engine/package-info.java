/**
 * SPI for describing an engine that Multimed does not know. An application, or the vendor of an engine, implements
 * {@link io.multimed.jdbc.engine.JdbcEngine}.
 *
 * <p>Input: URLs, connections and errors of the engine. Output: the facts about them that JDBC does not provide. Called by the
 * thread that connects, reads, commits or applies; each method says which.
 */
@NullMarked
package io.multimed.jdbc.engine;

import org.jspecify.annotations.NullMarked;
