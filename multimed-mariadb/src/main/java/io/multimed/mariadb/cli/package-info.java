/**
 * The command {@code multimed up --engine mariadb}.
 *
 * <p>In: a command line. Out: an instance in the foreground, which {@code multimed status} and {@code multimed down} reach by its control
 * socket.
 */
@NullMarked
package io.multimed.mariadb.cli;

import org.jspecify.annotations.NullMarked;
