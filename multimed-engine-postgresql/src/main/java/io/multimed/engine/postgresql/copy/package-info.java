/**
 * Clones a running Master by copying its data directory between the start and the end of an online backup.
 *
 * <p>In: the Master's address and data directory. Out: a directory from which a standby recovers, with the log that it
 * gets from the relay. Nothing of the Master is written to. Blocks for as long as the copy takes; runs on two threads of
 * its own, on the Satellite's cores, so that the Master is disturbed least and the memory is the Satellite's.
 */
@NullMarked
package io.multimed.engine.postgresql.copy;

import org.jspecify.annotations.NullMarked;
