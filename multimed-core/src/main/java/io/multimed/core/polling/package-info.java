/**
 * Wait strategy of threads that wait for sockets.
 *
 * <p>Input: whether anything was ready. Output: whether to poll again at once.
 */
@NullMarked
package io.multimed.core.polling;

import org.jspecify.annotations.NullMarked;
