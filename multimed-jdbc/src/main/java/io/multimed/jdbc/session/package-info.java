/**
 * The contract between the application's objects and the nodes behind them: a session places the statements of one connection and
 * ends its transactions.
 *
 * <p>Input: recognised statements and calls on the connection. Output: the engine's own connection on which each runs. Runs in the
 * application's threads, which take turns.
 */
@NullMarked
package io.multimed.jdbc.session;

import org.jspecify.annotations.NullMarked;
