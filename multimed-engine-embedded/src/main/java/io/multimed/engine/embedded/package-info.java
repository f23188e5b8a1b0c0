/**
 * Several in-memory engines inside one JVM, kept in step (MacroDB), as the JDBC driver sees them.
 *
 * <p>In: an engine's own URL and options ({@link io.multimed.engine.embedded.EmbeddedOptions}), then per application
 * connection the start and end of every read and every update
 * ({@link io.multimed.engine.embedded.EmbeddedSession}). Out: the engine's own connections, each to a node on which the
 * caller may run what it announced. Everything runs in the caller's thread; appliers have threads of their own, and a
 * reader that would have to wait applies what is missing itself.
 *
 * <p>This package has the types that the driver and the packages below share; sessions begin in
 * {@link io.multimed.engine.embedded.registry.EmbeddedDatabases}.
 */
@NullMarked
package io.multimed.engine.embedded;

import org.jspecify.annotations.NullMarked;
