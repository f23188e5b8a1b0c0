/**
 * {@code multimed lean}: indexes that only reads need are moved from the Master to partial Satellites, and back.
 *
 * <p>In: requests of the control socket. Out: proposals; indexes made and dropped on nodes; the file that says which indexes have been
 * moved, which is written before anything is dropped. Blocking calls on the control socket's threads; the file's contents may be read by
 * any.
 */
@NullMarked
package io.multimed.server.lean;

import org.jspecify.annotations.NullMarked;
