/**
 * Engines that do not tell which rows have changed: Satellites execute the Master's statements again, in the order of its
 * commits. Reached through JDBC alone, and known by their descriptions: those of Derby and SQLite are here.
 *
 * <p>In: statements that the driver has judged to mean the same everywhere, in the thread of the session that executes them.
 * Out: the same statements on every Satellite, in the thread of whoever applies.
 */
@NullMarked
package io.multimed.jdbc.statements;

import org.jspecify.annotations.NullMarked;
