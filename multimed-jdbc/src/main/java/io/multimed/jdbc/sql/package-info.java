/**
 * Recognition of an embedded engine's statements: queries that any replica may answer, changes, definitions, transaction control.
 *
 * <p>Input: SQL text as given to JDBC, in the grammar of H2 or HSQLDB, or in a {@link io.multimed.jdbc.sql.Grammar} from outside. Output:
 * {@link io.multimed.jdbc.sql.SqlText}, a value, which a bounded cache keeps by text. Runs in the application's threads; never
 * blocks.
 */
@NullMarked
package io.multimed.jdbc.sql;

import org.jspecify.annotations.NullMarked;
