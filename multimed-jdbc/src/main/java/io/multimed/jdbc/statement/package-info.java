/**
 * The application's statements and result sets. Behind each statement is one statement of the engine for each connection on which
 * it has run.
 *
 * <p>Input: calls on {@code java.sql.Statement} and its subtypes. Output: the same calls on the statement of the node that the
 * {@link io.multimed.jdbc.session.DriverSession} chose. Runs in the application's threads.
 */
@GenerateDelegates({"ResultSet", "Statement", "PreparedStatement", "CallableStatement"})
@NullMarked
package io.multimed.jdbc.statement;

import io.multimed.jdbc.generator.GenerateDelegates;
import org.jspecify.annotations.NullMarked;
