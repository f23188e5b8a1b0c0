/**
 * Replicas of one database and the sessions on them.
 *
 * <p>In: an application's connections, through {@link io.multimed.engine.embedded.EmbeddedSession}. Commits go to the
 * {@code WriteSetLog} of the core in the caller's thread; reads are placed on a
 * {@link io.multimed.engine.embedded.runtime.Satellite} that has applied what they must see, which the reader brings about
 * itself if need be. Faults: a Satellite that fails is made anew by a thread of its own; a Master in memory that fails is
 * replaced.
 */
@NullMarked
package io.multimed.engine.embedded.runtime;

import org.jspecify.annotations.NullMarked;
