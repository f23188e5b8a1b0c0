/**
 * The {@code multimed} command.
 *
 * <p>In: arguments, signals. Out: exit codes, one line on standard output where a command promises it, all other messages for
 * people on standard error. Runs on the main thread; {@code up} hands over to the server's threads.
 */
@NullMarked
package io.multimed.cli;

import org.jspecify.annotations.NullMarked;
