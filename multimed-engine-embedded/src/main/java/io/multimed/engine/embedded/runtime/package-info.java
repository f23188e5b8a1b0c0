/**
 * Replicas of one database and the sessions on them.
 *
 * <p>Input: an application's connections, through {@link io.multimed.engine.embedded.EmbeddedSession}. Commits go to the
 * {@code WriteSetLog} of the core in the caller's thread. Reads are placed on a
 * {@link io.multimed.engine.embedded.runtime.Satellite} that has applied the commits they must see; if necessary, the reader
 * applies these itself. Faults: a thread of its own rebuilds a Satellite that fails; a Satellite replaces a Master in memory that
 * fails.
 */
@NullMarked
package io.multimed.engine.embedded.runtime;

import org.jspecify.annotations.NullMarked;
