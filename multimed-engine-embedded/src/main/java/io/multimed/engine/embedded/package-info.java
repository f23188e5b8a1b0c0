/**
 * Several in-memory engines inside one JVM, kept in step (MacroDB), as the JDBC driver sees them.
 *
 * <p>Input: an engine's own URL and options ({@link io.multimed.engine.embedded.EmbeddedOptions}), then per application connection
 * the start and end of every read and every update ({@link io.multimed.engine.embedded.EmbeddedSession}). Output: the engine's own
 * connections, each to a node on which the caller may run the announced statement. Everything runs in the caller's thread, except
 * that appliers have threads of their own. A reader that would have to wait applies the missing commits itself.
 *
 * <p>This package has the types that the driver and the packages below share; sessions begin in
 * {@link io.multimed.engine.embedded.registry.EmbeddedDatabases}.
 */
@NullMarked
package io.multimed.engine.embedded;

import org.jspecify.annotations.NullMarked;
