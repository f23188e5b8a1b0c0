/**
 * What a statement of an embedded engine is: a query that any replica may answer, a change, a definition, transaction
 * control.
 *
 * <p>In: SQL text as given to JDBC, in the grammar of H2 or HSQLDB, or by the rules of an engine's description. Out: {@link io.multimed.jdbc.sql.SqlText}, a value kept
 * by text in a bounded cache. Runs in the application's threads; blocks never.
 */
@NullMarked
package io.multimed.jdbc.sql;

import org.jspecify.annotations.NullMarked;
