/**
 * The directory of one instance: where everything lies, and that only one Multimed uses it.
 *
 * <p>In: what the user named. Out: paths. Blocking calls on the caller's thread.
 */
@NullMarked
package io.multimed.server.home;

import org.jspecify.annotations.NullMarked;
