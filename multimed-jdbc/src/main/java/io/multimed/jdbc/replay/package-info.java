/**
 * Engines that do not tell which rows have changed. Satellites execute the Master's statements again, in the order of its commits.
 * The engines are reached through JDBC alone, and known by their descriptions; those of Derby and SQLite are here.
 *
 * <p>Input: statements that the driver has judged to mean the same on every node, in the thread of the session that executes them.
 * Output: the same statements on every Satellite, in the applying thread.
 */
@NullMarked
package io.multimed.jdbc.replay;

import org.jspecify.annotations.NullMarked;
