/**
 * {@code jdbc:multimed:}, the driver: one connection of the application, and behind it the engine's own connections to the
 * Master and to Satellites inside this process, or one to a Multimed server.
 *
 * <p>In: what applications call on {@code java.sql}. Out: the same calls on the engine's own objects, on the node where the
 * {@link io.multimed.jdbc.Session} places them. Runs in the application's threads; a connection and all that it made is
 * used by one thread at a time, as the engines ask, {@code cancel} and {@code abort} excepted.
 */
@GenerateDelegates
@NullMarked
package io.multimed.jdbc;

import io.multimed.jdbc.generator.GenerateDelegates;
import org.jspecify.annotations.NullMarked;
