/**
 * A Master that is kept alive, whatever its kind.
 *
 * <p>In: the Master's engine and its relay, as interfaces. Out: when it dies, the floor is withdrawn before it is started again. The
 * supervisor has a thread of its own.
 */
@NullMarked
package io.multimed.engine.supervision;

import org.jspecify.annotations.NullMarked;
