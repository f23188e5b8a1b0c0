/**
 * Errors that the driver itself throws: with SQLState, problem and solution, or in the form of the engine behind the connection.
 * Any thread.
 */
@NullMarked
package io.multimed.jdbc.errors;

import org.jspecify.annotations.NullMarked;
