/**
 * Whether the catalogs of the Master are still those with which a partial Satellite answers.
 *
 * <p>In: the catalogs of a new copy, the relay's reports of commits that changed catalogs, the Master's catalogs as of later
 * snapshots. Out: the positions that an applier may pass, and a call when the catalogs differ, so that the Satellite is copied
 * anew. {@link io.multimed.engine.postgresql.partial.CatalogWatches} has the thread that asks the Master; the relay's thread and
 * appliers only wait for short locks, or, as they shall, for a settled doubt.
 */
@NullMarked
package io.multimed.engine.postgresql.partial;

import org.jspecify.annotations.NullMarked;
