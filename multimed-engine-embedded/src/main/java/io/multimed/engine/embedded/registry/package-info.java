/**
 * Registry of the databases that are open in this JVM, and the entry point of the JDBC driver.
 *
 * <p>Input: an engine's URL and options. Output: a session on the database that the URL names; the first connection opens the
 * database. The URL determines the engine family. Any thread; connections to different databases do not wait for each other.
 */
@NullMarked
package io.multimed.engine.embedded.registry;

import org.jspecify.annotations.NullMarked;
