/**
 * The log of a running instance: everything from INFO on goes to its file, warnings also to standard error, there in one line
 * and, as text, without stack traces. Lines are text, or JSON objects.
 *
 * <p>It is an SLF4J provider of a few small classes, because none of the small existing ones writes to two places. Any thread.
 */
@NullMarked
package io.multimed.cli.log;

import org.jspecify.annotations.NullMarked;
