/**
 * The commands {@code multimed bench ...} and {@code multimed demo}, a program of their own.
 *
 * <p>In: arguments, signals. Out: the benchmark that they name is run or its results are drawn; tables on standard output,
 * progress on standard error, exit statuses. Runs on the main thread.
 */
@NullMarked
package io.multimed.bench.cli;

import org.jspecify.annotations.NullMarked;
