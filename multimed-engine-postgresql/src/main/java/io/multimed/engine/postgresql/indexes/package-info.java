/**
 * Indexes that partial Satellites have and the Master has not: what the Master's statistics say about its indexes, and an index's way
 * from the Master to Satellites and back.
 *
 * <p>In: connections to nodes. Out: surveys, and indexes that are made and dropped. Blocking calls on the caller's thread.
 */
@NullMarked
package io.multimed.engine.postgresql.indexes;

import org.jspecify.annotations.NullMarked;
