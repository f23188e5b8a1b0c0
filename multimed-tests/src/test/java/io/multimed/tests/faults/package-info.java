/**
 * Faults of engines, and Multimed's reactions.
 *
 * <p>In: signals to processes. Out: what status says, and what clients see. JUnit's threads.
 */
@NullMarked
package io.multimed.tests.faults;

import org.jspecify.annotations.NullMarked;
