/**
 * What the core remembers of one client conversation: which commits its next read must see.
 *
 * <p>Owned by the thread that runs the conversation.
 */
@NullMarked
package io.multimed.core.session;

import org.jspecify.annotations.NullMarked;
