/**
 * Conversations of Multimed itself with its engines, over their private sockets.
 *
 * <p>In: statements. Out: rows, and the bytes of a replication conversation. Calls block.
 */
@NullMarked
package io.multimed.engine.mariadb.wire;

import org.jspecify.annotations.NullMarked;
