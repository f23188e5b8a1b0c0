/**
 * The driver for {@code jdbc:multimed:}. Behind one connection of the application it has the engine's own connections to the
 * Master and to Satellites inside this process, or one to a Multimed server.
 *
 * <p>Input: calls of applications on {@code java.sql}. Output: the same calls on the engine's own objects, on the node where the
 * {@link io.multimed.jdbc.Session} places them. Runs in the application's threads. One thread at a time uses a connection and the
 * objects that it made, as the engines require, except for {@code cancel} and {@code abort}.
 */
@GenerateDelegates
@NullMarked
package io.multimed.jdbc;

import io.multimed.jdbc.generator.GenerateDelegates;
import org.jspecify.annotations.NullMarked;
