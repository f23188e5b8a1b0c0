/**
 * URLs and properties of connections: Multimed's own options, and the engine's, which are passed on.
 *
 * <p>Input: a {@code jdbc:multimed:} URL with its properties. Output: {@link io.multimed.jdbc.url.MultimedUrl}, a value, or an error
 * that says how to correct the URL. Runs in the thread that connects; never blocks.
 */
@NullMarked
package io.multimed.jdbc.url;

import org.jspecify.annotations.NullMarked;
