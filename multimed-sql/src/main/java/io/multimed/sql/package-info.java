/**
 * What a PostgreSQL statement may do: may a read-only Satellite execute it, and what does it leave behind in a session.
 *
 * <p>In: the bytes of a Query or Parse message and a {@link io.multimed.sql.DatabaseCatalog} snapshot. Out: a {@link
 * io.multimed.sql.ClassifiedSql}, a value. Event loops call {@link io.multimed.sql.StatementClassifier#classify}, which
 * never blocks; shapes not seen before are parsed on one thread of this package's own. Knows no socket and no session.
 */
@NullMarked
package io.multimed.sql;

import org.jspecify.annotations.NullMarked;
