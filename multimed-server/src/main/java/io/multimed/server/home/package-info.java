/**
 * The directory of one instance: the paths in it, and the lock that only one Multimed uses it.
 *
 * <p>Input: the directory that the user named. Output: paths. Blocking calls on the caller's thread.
 */
@NullMarked
package io.multimed.server.home;

import org.jspecify.annotations.NullMarked;
