/**
 * What happens to engines, and what Multimed makes of it.
 *
 * <p>In: signals to processes. Out: what status says, and what clients see. JUnit's threads.
 */
@NullMarked
package io.multimed.tests.faults;

import org.jspecify.annotations.NullMarked;
