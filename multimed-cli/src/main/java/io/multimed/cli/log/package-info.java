/**
 * The log of a running instance: everything from INFO on goes to its file, warnings also to standard error, there in one line
 * and without stack traces.
 *
 * <p>It is an SLF4J provider of some eighty lines, because none of the small existing ones writes to two places. Any thread.
 */
@NullMarked
package io.multimed.cli.log;

import org.jspecify.annotations.NullMarked;
