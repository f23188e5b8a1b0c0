/** Random choices that can be repeated. */
@NullMarked
package io.multimed.testkit.random;

import org.jspecify.annotations.NullMarked;
