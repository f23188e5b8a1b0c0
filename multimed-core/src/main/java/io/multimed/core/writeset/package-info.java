/**
 * Propagation by write sets, where no engine's log does it: an ordered queue and an applier per Satellite.
 *
 * <p>In: transactions with their write sets ({@link io.multimed.core.writeset.WriteSetLog}), in the threads that commit.
 * Out: changes to each Satellite's engine and its applied SCN ({@link io.multimed.core.writeset.WriteSetFeed}), in the
 * thread of whoever needs it: a reader, the feed's own, a committer that finds it far behind.
 */
@NullMarked
package io.multimed.core.writeset;

import org.jspecify.annotations.NullMarked;
