/** Full Satellites are compared with the Master. */
@NullMarked
package io.multimed.tests.comparison;

import org.jspecify.annotations.NullMarked;
