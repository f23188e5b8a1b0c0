/**
 * Registry of the databases that are open in this JVM, and the entry point of the JDBC driver.
 *
 * <p>In: an engine's URL and options. Out: a session on the database that the URL names, which the first connection opens;
 * here a URL is assigned to an engine family. Any thread; connections to different databases do not wait for each other.
 */
@NullMarked
package io.multimed.engine.embedded.registry;

import org.jspecify.annotations.NullMarked;
