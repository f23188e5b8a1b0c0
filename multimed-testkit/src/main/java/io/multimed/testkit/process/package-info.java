/**
 * Programs under test as processes of their own, and the directories they work in.
 *
 * <p>In: arguments, keys, signals. Out: what a program prints, its exit status. Threads of its own read the output.
 */
@NullMarked
package io.multimed.testkit.process;

import org.jspecify.annotations.NullMarked;
