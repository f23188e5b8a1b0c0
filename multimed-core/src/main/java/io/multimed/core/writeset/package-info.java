/**
 * Propagation by write sets, for engines without a log: an ordered queue and an applier per Satellite.
 *
 * <p>Input: transactions with their write sets ({@link io.multimed.core.writeset.WriteSetLog}), in the threads that commit. Output:
 * changes to each Satellite's engine and its applied SCN ({@link io.multimed.core.writeset.WriteSetFeed}), in the thread that needs
 * them: a reader's, the feed's own, or that of a commit that finds it far behind.
 */
@NullMarked
package io.multimed.core.writeset;

import org.jspecify.annotations.NullMarked;
