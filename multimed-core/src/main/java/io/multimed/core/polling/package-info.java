/**
 * How threads that wait for sockets wait.
 *
 * <p>In: that nothing was ready, or something. Out: whether to ask again at once.
 */
@NullMarked
package io.multimed.core.polling;

import org.jspecify.annotations.NullMarked;
