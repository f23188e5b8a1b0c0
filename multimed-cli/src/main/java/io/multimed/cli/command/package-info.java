/**
 * The command line of a program that has several commands: their options, help, exit statuses, and messages for wrong input.
 * The product and its benchmarks are such programs.
 *
 * <p>In: arguments. Out: the command that they name is called, or its help or the fault in them is printed. Runs on the main
 * thread.
 */
@NullMarked
package io.multimed.cli.command;

import org.jspecify.annotations.NullMarked;
