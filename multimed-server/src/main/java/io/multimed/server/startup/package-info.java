/**
 * Reports of a start to the person who waits for it: its steps, and the reason why it fails.
 *
 * <p>Every package of the server may use this one; it uses none of them.
 */
@NullMarked
package io.multimed.server.startup;

import org.jspecify.annotations.NullMarked;
