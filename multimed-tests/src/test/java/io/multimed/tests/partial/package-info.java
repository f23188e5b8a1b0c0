/** Partial Satellites in a whole Multimed, on real engines. */
@NullMarked
package io.multimed.tests.partial;

import org.jspecify.annotations.NullMarked;
