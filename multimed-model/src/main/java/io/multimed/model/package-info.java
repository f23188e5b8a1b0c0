/**
 * The vocabulary of Multimed, shared by every module: positions ({@link io.multimed.model.Scn}), nodes, freshness.
 *
 * <p>Immutable values only; no thread of its own; depends on nothing but the JDK.
 */
@NullMarked
package io.multimed.model;

import org.jspecify.annotations.NullMarked;
