/**
 * The engines behind the driver, as the rest of the driver knows them: an engine inside this process, and how its changes reach the
 * Satellites. H2 and HSQLDB, whose rows are captured, are here; {@code replay} has the engines whose statements are executed again.
 *
 * <p>Input: URLs, and the statements of sessions. Output: sessions of the embedded runtime. Runs in the application's threads.
 */
@NullMarked
package io.multimed.jdbc.backend;

import org.jspecify.annotations.NullMarked;
