/**
 * State that the core keeps for one client session: the commits that its next read must see.
 *
 * <p>Owned by the thread that runs the session.
 */
@NullMarked
package io.multimed.core.session;

import org.jspecify.annotations.NullMarked;
