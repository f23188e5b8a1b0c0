/**
 * The application's connections and their metadata.
 *
 * <p>Input: calls on {@code java.sql.Connection}. Output: calls on the {@link io.multimed.jdbc.session.DriverSession}, and new statements.
 * Runs in the application's threads.
 */
@GenerateDelegates({"Connection", "DatabaseMetaData"})
@NullMarked
package io.multimed.jdbc.connection;

import io.multimed.jdbc.generator.GenerateDelegates;
import org.jspecify.annotations.NullMarked;
