/**
 * Classification of PostgreSQL statements: whether a read-only Satellite may execute a statement, and what it leaves behind in a
 * session.
 *
 * <p>Input: the bytes of a Query or Parse message and a {@link io.multimed.sql.DatabaseCatalog} snapshot. Output: a
 * {@link io.multimed.sql.ClassifiedSql}, a value. Event loops call {@link io.multimed.sql.StatementClassifier#classify}, which
 * never blocks. Shapes that are not known are parsed on one thread of this package. The package knows no sockets and no sessions.
 */
@NullMarked
package io.multimed.sql;

import org.jspecify.annotations.NullMarked;
